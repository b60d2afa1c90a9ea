import type { CountedOrganization } from '../store/organization-store.ts'
import type { Invitation, Membership, Organization, User } from '../tables.ts'
import type { SignedIn } from '../tokens.ts'
import { avatarUrl, emailAddressJson, publicUserJson, userImageUrl } from './user-resources.ts'

/** A list as Clerk pages it; everything fits on one page here. */
export function pageJson<Item>(data: Item[]) {
  return { data, total_count: data.length }
}

const MAX_MEMBERS = 5

const PERMISSIONS: Record<string, string[]> = {
  'org:admin': [
    'org:sys_profile:manage',
    'org:sys_profile:delete',
    'org:sys_memberships:read',
    'org:sys_memberships:manage',
  ],
  'org:member': ['org:sys_memberships:read'],
}

export function isRole(role: string): boolean {
  return role in PERMISSIONS
}

export function organizationJson(organization: CountedOrganization) {
  return {
    object: 'organization',
    id: organization.id,
    name: organization.name,
    slug: organization.slug,
    image_url: avatarUrl(organization.name),
    has_image: false,
    members_count: organization.memberCount,
    pending_invitations_count: organization.pendingInvitationCount,
    max_allowed_memberships: MAX_MEMBERS,
    admin_delete_enabled: false,
    public_metadata: {},
    created_at: organization.createdAtMs,
    updated_at: organization.createdAtMs,
  }
}

interface MembershipParts {
  organization: CountedOrganization
  user: User
}

export function membershipJson(membership: Membership, { organization, user }: MembershipParts) {
  return {
    object: 'organization_membership',
    id: membership.id,
    role: membership.role,
    role_name: roleName(membership.role),
    permissions: PERMISSIONS[membership.role] ?? [],
    organization: organizationJson(organization),
    public_user_data: publicUserJson(user),
    public_metadata: {},
    created_at: membership.createdAtMs,
    updated_at: membership.createdAtMs,
  }
}

export function roleJsons() {
  return Object.entries(PERMISSIONS).map(([key, permissions]) => ({
    object: 'role',
    id: key,
    key,
    name: roleName(key),
    description: '',
    permissions: permissions.map((permission) => ({
      object: 'permission',
      id: permission,
      key: permission,
      name: permission,
    })),
    created_at: 0,
    updated_at: 0,
  }))
}

export function invitationJson(invitation: Invitation, organization?: Organization) {
  return {
    object: 'organization_invitation',
    id: invitation.id,
    email_address: invitation.email,
    organization_id: invitation.organizationId,
    public_organization_data: organization && {
      id: organization.id,
      name: organization.name,
      slug: organization.slug,
      image_url: avatarUrl(organization.name),
      has_image: false,
    },
    role: invitation.role,
    role_name: roleName(invitation.role),
    status: invitation.status,
    public_metadata: {},
    created_at: invitation.createdAtMs,
    updated_at: invitation.createdAtMs,
  }
}

function roleName(role: string): string {
  return role === 'org:admin' ? 'Admin' : 'Member'
}

// Clerk ends a session that was unused for this long; here only the expiry counts.
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
