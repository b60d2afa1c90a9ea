import type { SignedIn } from '../signed-in.ts'
import { membershipJson } from './organization-resources.ts'
import { emailAddressJson, publicUserJson, userImageUrl } from './user-resources.ts'

// Clerk ends a session that nobody used for this long; here only the expiry counts.
const ABANDON_MS = 30 * 24 * 60 * 60 * 1000

interface ClientParts {
  session: ReturnType<typeof sessionJson> | null
  signIn: unknown
  signUp: unknown
}

export function clientJson(clientId: string, { session, signIn, signUp }: ClientParts) {
  const nowMs = Date.now()
  return {
    object: 'client',
    id: clientId,
    sessions: session ? [session] : [],
    sign_in: signIn,
    sign_up: signUp,
    last_active_session_id: session?.id ?? null,
    captcha_bypass: false,
    cookie_expires_at: null,
    last_authentication_strategy: null,
    created_at: session?.created_at ?? nowMs,
    updated_at: nowMs,
  }
}

export function sessionJson(signedIn: SignedIn, jwt: string) {
  const { session, user } = signedIn
  return {
    object: 'session',
    id: session.id,
    status: 'active',
    expire_at: session.expiresAtMs,
    abandon_at: session.createdAtMs + ABANDON_MS,
    last_active_at: session.lastActiveAtMs,
    last_active_organization_id: session.organizationId,
    actor: null,
    tasks: null,
    factor_verification_age: [0, -1],
    user: userJson(signedIn),
    public_user_data: publicUserJson(user),
    last_active_token: { object: 'token', jwt },
    created_at: session.createdAtMs,
    updated_at: session.lastActiveAtMs,
  }
}

export function userJson({ user, session, memberships }: SignedIn) {
  const email = emailAddressJson(user)
  return {
    ...EMPTY_USER,
    object: 'user',
    id: user.id,
    first_name: user.firstName,
    last_name: user.lastName,
    image_url: userImageUrl(user),
    primary_email_address_id: email.id,
    email_addresses: [email],
    organization_memberships: memberships.map(({ membership, organization }) =>
      membershipJson(membership, { organization, user }),
    ),
    created_at: user.createdAtMs,
    updated_at: user.updatedAtMs,
    last_sign_in_at: session.createdAtMs,
  }
}

const EMPTY_USER = {
  username: null,
  has_image: false,
  primary_phone_number_id: null,
  primary_web3_wallet_id: null,
  password_enabled: true,
  two_factor_enabled: false,
  totp_enabled: false,
  backup_code_enabled: false,
  phone_numbers: [],
  web3_wallets: [],
  external_accounts: [],
  enterprise_accounts: [],
  passkeys: [],
  saml_accounts: [],
  public_metadata: {},
  unsafe_metadata: {},
  create_organization_enabled: true,
  delete_self_enabled: false,
}
