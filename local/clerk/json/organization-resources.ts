import { avatarUrl } from '../avatars.ts'
import type { CountedOrganization } from '../store/organization-store.ts'
import type { Invitation, Membership, Organization, User } from '../tables.ts'
import { publicUserJson } from './user-resources.ts'

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
