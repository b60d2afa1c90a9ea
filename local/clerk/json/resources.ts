import type { CountedOrganization, OrganizationMembership } from '../store/organization-store.ts'
import { type SignedIn } from '../store/organization-store.ts'
import type { Attempt, Invitation, Organization, User } from '../store/tables.ts'

import { MAX_MEMBERS } from './environment.ts'

// Clerk's resources without the fields that clerk-js fills by itself: what is empty, off or not used here.

/** A list as Clerk pages it; everything fits on one page here. */
export function pageJson<Item>(data: Item[]) {
  return { data, total_count: data.length }
}

/** What each role permits: of Clerk's own permissions, and of those that Adapt asks for. */
const PERMISSIONS: Record<string, string[]> = {
  'org:admin': [
    'org:modules:manage',
    'org:sys_profile:manage',
    'org:sys_profile:delete',
    'org:sys_memberships:read',
    'org:sys_memberships:manage',
  ],
  'org:member': ['org:sys_memberships:read'],
}

export function permissionsOf(role: string): readonly string[] {
  return PERMISSIONS[role] ?? []
}

export function isRole(role: string): boolean {
  return role in PERMISSIONS
}

function roleFields(role: string) {
  return { role, role_name: role === 'org:admin' ? 'Admin' : 'Member' }
}

export function roleJsons() {
  return Object.entries(PERMISSIONS).map(([key, permissions]) => ({
    object: 'role',
    id: key,
    key,
    name: roleFields(key).role_name,
    description: '',
    permissions: permissions.map((name) => ({ object: 'permission', id: name, key: name, name })),
    created_at: 0,
    updated_at: 0,
  }))
}

function namedJson({ id, name, slug }: Organization) {
  return { id, name, slug, image_url: avatarUrl(name), has_image: false }
}

export function organizationJson(organization: CountedOrganization) {
  return {
    object: 'organization',
    ...namedJson(organization),
    members_count: organization.memberCount,
    pending_invitations_count: organization.pendingInvitationCount,
    max_allowed_memberships: MAX_MEMBERS,
    ...neverChanged(organization),
  }
}

export function membershipJson({ membership, organization, user }: OrganizationMembership & { user: User }) {
  return {
    object: 'organization_membership',
    id: membership.id,
    ...roleFields(membership.role),
    permissions: permissionsOf(membership.role),
    organization: organizationJson(organization),
    public_user_data: publicUserJson(user),
    ...neverChanged(membership),
  }
}

export function invitationJson(invitation: Invitation, organization?: Organization) {
  return {
    object: 'organization_invitation',
    id: invitation.id,
    email_address: invitation.email,
    organization_id: invitation.organizationId,
    public_organization_data: organization && namedJson(organization),
    ...roleFields(invitation.role),
    status: invitation.status,
    public_metadata: {},
    ...neverChanged(invitation),
  }
}

function neverChanged({ createdAtMs }: { createdAtMs: number }) {
  return { created_at: createdAtMs, updated_at: createdAtMs }
}

// Clerk ends a session that was unused for this long; here only the expiry counts.
const SESSION_ABANDON_MS = 30 * 24 * 60 * 60 * 1000

type SessionJson = ReturnType<typeof sessionJson>

export function clientJson(
  clientId: string,
  session: SessionJson | null,
  attempts: Record<'sign_in' | 'sign_up', unknown>,
) {
  const nowMs = Date.now()
  return {
    object: 'client',
    id: clientId,
    sessions: session ? [session] : [],
    ...attempts,
    last_active_session_id: session?.id ?? null,
    created_at: session?.created_at ?? nowMs,
    updated_at: nowMs,
  }
}

/** Whole minutes since the password was given; there is no second factor. */
export function factorAges({ verifiedAtMs }: SignedIn): [number, number] {
  return [Math.floor((Date.now() - verifiedAtMs) / 60_000), -1]
}

/** A session whose person is asked for the password again. */
export function verificationJson(session: SessionJson, status: 'needs_first_factor' | 'complete') {
  return {
    object: 'session_verification',
    status,
    level: 'first_factor',
    session,
    supported_first_factors: [{ strategy: 'password' }],
    supported_second_factors: null,
    first_factor_verification: status === 'complete' ? { status: 'verified', strategy: 'password' } : null,
    second_factor_verification: null,
  }
}

/** @param isPending whether an organization has to be chosen before the session is good for anything */
export function sessionJson(signedIn: SignedIn, jwt: string, isPending: boolean) {
  const { session, user, memberships } = signedIn
  // A member who has left or was removed has no active organization any more.
  const active = memberships.find(({ organization }) => organization.id === session.organizationId)
  return {
    object: 'session',
    id: session.id,
    status: isPending ? 'pending' : 'active',
    tasks: isPending ? [{ key: 'choose-organization' }] : null,
    expire_at: session.expiresAtMs,
    abandon_at: session.createdAtMs + SESSION_ABANDON_MS,
    last_active_at: session.lastActiveAtMs,
    last_active_organization_id: active?.organization.id ?? null,
    factor_verification_age: factorAges(signedIn),
    user: userJson(signedIn),
    public_user_data: publicUserJson(user),
    last_active_token: { object: 'token', jwt },
    created_at: session.createdAtMs,
    updated_at: session.lastActiveAtMs,
  }
}

export function userJson({ user, session, memberships }: SignedIn) {
  const emailId = user.id.replace(/^user_/, 'idn_')
  return {
    object: 'user',
    id: user.id,
    ...userFace(user),
    primary_email_address_id: emailId,
    email_addresses: [
      {
        object: 'email_address',
        id: emailId,
        email_address: user.email,
        verification: { status: 'verified', strategy: 'email_code' },
      },
    ],
    organization_memberships: memberships.map((membership) => membershipJson({ ...membership, user })),
    password_enabled: true,
    create_organization_enabled: true,
    created_at: user.createdAtMs,
    updated_at: user.updatedAtMs,
    last_sign_in_at: session.createdAtMs,
  }
}

function publicUserJson(user: User) {
  return { ...userFace(user), identifier: user.email, user_id: user.id }
}

function userFace(user: User) {
  const name = [user.firstName, user.lastName].filter(Boolean).join(' ')
  const imageUrl = avatarUrl(name || user.email.split('@', 1).join(''))
  return { first_name: user.firstName, last_name: user.lastName, image_url: imageUrl, has_image: false }
}

// Clerk's time to finish signing in or up.
const ATTEMPT_ABANDON_MS = 24 * 60 * 60 * 1000

export function signInJson(attempt: Attempt, user: User | null) {
  const isComplete = attempt.sessionId !== null
  return {
    object: 'sign_in',
    id: attempt.id,
    status: isComplete ? 'complete' : 'needs_first_factor',
    supported_identifiers: ['email_address'],
    identifier: attempt.email,
    supported_first_factors: [{ strategy: 'password' }],
    supported_second_factors: null,
    first_factor_verification: isComplete ? { status: 'verified', strategy: 'password' } : null,
    user_data: user && userFace(user),
    created_session_id: attempt.sessionId,
    abandon_at: attempt.createdAtMs + ATTEMPT_ABANDON_MS,
  }
}

const REQUIRED_FIELDS = ['email_address', 'password'] as const

/** The required fields that a sign-up has not given yet, in their order. */
export function missingFields(attempt: Attempt): string[] {
  const given = { email_address: attempt.email, password: attempt.passwordHash }
  return REQUIRED_FIELDS.filter((field) => !given[field])
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
    email_address: attempt.email,
    has_password: attempt.passwordHash !== null,
    first_name: attempt.firstName,
    last_name: attempt.lastName,
    unsafe_metadata: {},
    protect_check: protectCheck,
    created_session_id: attempt.sessionId,
    created_user_id: attempt.userId,
    abandon_at: attempt.createdAtMs + ATTEMPT_ABANDON_MS,
  }
}

const MAX_LETTERS = 2

/** Where the drawing of initials is served. A relative address works from every origin the app is opened at. */
function avatarUrl(name: string): string {
  const words = name.match(/[\p{L}\p{N}]+/gu) ?? []
  const letters = words.slice(0, MAX_LETTERS).map((word) => word.charAt(0).toUpperCase())
  return `/__clerk/avatars/${encodeURIComponent(letters.join('') || 'A')}.svg`
}

/** Draws the letters and digits of a file name, which may be anybody's, as an image. */
export function drawAvatar(fileName: string): string {
  const letters = fileName.replace(/\.svg$/, '').match(/[\p{L}\p{N}]/gu) ?? []
  return (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64"><rect width="64" height="64" fill="#334155"/>' +
    '<text x="32" y="32" dy="0.35em" text-anchor="middle" font-family="sans-serif" font-size="26" fill="#fff">' +
    `${letters.slice(0, MAX_LETTERS).join('')}</text></svg>`
  )
}
