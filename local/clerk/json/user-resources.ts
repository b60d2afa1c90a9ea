import { avatarUrl } from '../avatars.ts'
import type { User } from '../tables.ts'

export function emailAddressJson(user: User) {
  return {
    object: 'email_address',
    id: user.id.replace(/^user_/, 'idn_'),
    email_address: user.email,
    verification: { status: 'verified', strategy: 'email_code', attempts: null, expire_at: null, error: null },
    linked_to: [],
  }
}

export function publicUserJson(user: User) {
  return {
    first_name: user.firstName,
    last_name: user.lastName,
    image_url: userImageUrl(user),
    has_image: false,
    identifier: user.email,
    user_id: user.id,
  }
}

export function userImageUrl(user: User): string {
  const name = [user.firstName, user.lastName].filter(Boolean).join(' ')
  return avatarUrl(name || user.email.split('@', 1).join(''))
}
