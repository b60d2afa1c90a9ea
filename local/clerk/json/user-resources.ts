import { Hono } from 'hono'
import { findUser } from '../store/account-store.ts'
import type { Attempt, StandInDb, User } from '../tables.ts'

const MAX_LETTERS = 2

/** Where the drawing of a user's initials is served. A relative address works from every origin the app is opened at. */
export function avatarUrl(name: string): string {
  const words = name.match(/[\p{L}\p{N}]+/gu) ?? []
  const letters = words.slice(0, MAX_LETTERS).map((word) => word.charAt(0).toUpperCase())
  return `/__clerk/avatars/${encodeURIComponent(letters.join('') || 'A')}.svg`
}

export const avatarRoutes = new Hono().get('/:file{.+\\.svg}', (c) => {
  const letters =
    c.req
      .param('file')
      .replace(/\.svg$/, '')
      .match(/[\p{L}\p{N}]/gu) ?? []
  return c.body(drawAvatar(letters.slice(0, MAX_LETTERS).join('')), 200, {
    'content-type': 'image/svg+xml; charset=utf-8',
    'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'",
    'cache-control': 'public, max-age=86400',
  })
})

function drawAvatar(initials: string): string {
  return (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64"><rect width="64" height="64" fill="#334155"/>' +
    '<text x="32" y="32" dy="0.35em" text-anchor="middle" font-family="sans-serif" font-size="26" fill="#fff">' +
    `${initials}</text></svg>`
  )
}

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

// Clerk's time to finish signing in or up.
const ABANDON_MS = 24 * 60 * 60 * 1000

const REQUIRED_FIELDS = ['email_address', 'password']

export async function signInJson(db: StandInDb, attempt: Attempt) {
  const user = attempt.userId ? await findUser(db, attempt.userId) : null
  const isComplete = attempt.sessionId !== null
  return {
    object: 'sign_in',
    id: attempt.id,
    status: isComplete ? 'complete' : 'needs_first_factor',
    supported_identifiers: ['email_address'],
    identifier: attempt.email,
    supported_first_factors: [{ strategy: 'password' }],
    supported_second_factors: null,
    first_factor_verification: isComplete ? passwordVerification() : null,
    second_factor_verification: null,
    user_data: user && userData(user),
    created_session_id: attempt.sessionId,
    abandon_at: attempt.createdAtMs + ABANDON_MS,
  }
}

function passwordVerification() {
  return { status: 'verified', strategy: 'password', attempts: 1, expire_at: null, error: null }
}

function userData(user: User) {
  return { first_name: user.firstName, last_name: user.lastName, image_url: userImageUrl(user), has_image: false }
}

/** The required fields that a sign-up has not given yet, in their order. */
export function missingFields(attempt: Attempt): string[] {
  const given = { email_address: attempt.email, password: attempt.passwordHash }
  return REQUIRED_FIELDS.filter((field) => !given[field as keyof typeof given])
}

/** @param protectCheck what it still has to pass; null for nothing */
export function signUpJson(attempt: Attempt, protectCheck: object | null) {
  return {
    object: 'sign_up',
    id: attempt.id,
    status: attempt.sessionId ? 'complete' : 'missing_requirements',
    required_fields: REQUIRED_FIELDS,
    optional_fields: [],
    missing_fields: missingFields(attempt),
    unverified_fields: [],
    verifications: { email_address: null, phone_number: null, web3_wallet: null, external_account: null },
    email_address: attempt.email,
    has_password: attempt.passwordHash !== null,
    first_name: attempt.firstName,
    last_name: attempt.lastName,
    username: null,
    phone_number: null,
    unsafe_metadata: {},
    protect_check: protectCheck,
    created_session_id: attempt.sessionId,
    created_user_id: attempt.userId,
    legal_accepted_at: null,
    abandon_at: attempt.createdAtMs + ABANDON_MS,
  }
}
