import type { Access } from './route-row.ts'

/** The organization that was active when the planted module was uploaded. */
export const ORG = 'org_matrix'

/** Who asks; the owner is the planted module's own. */
export const CALLERS = {
  anonymous: null,
  stranger: { as: 'user_stranger' },
  'member of another organization': { as: 'user_other', orgId: 'org_other', orgRole: 'org:admin' },
  owner: { as: 'owner' },
  'member of the organization': { as: 'user_member', orgId: ORG, orgRole: 'org:member' },
  'admin of the organization': { as: 'user_admin', orgId: ORG, orgRole: 'org:admin' },
  'manager of the organization': {
    as: 'user_manager',
    orgId: ORG,
    orgRole: 'org:trainer',
    orgPermissions: ['org:modules:manage'],
  },
  'approver of the organization': {
    as: 'user_approver',
    orgId: ORG,
    orgRole: 'org:qa',
    orgPermissions: ['org:versions:approve'],
  },
  invited: { as: 'user_invited' },
  operator: { as: 'user_operator' },
} as const
export type Caller = keyof typeof CALLERS

/** How a caller signs in. A token is put into the headers as it is. */
export interface Who {
  as?: string
  token?: string
  orgId?: string
  orgRole?: string
  orgPermissions?: readonly string[]
}

/** @param owner of the planted module */
export function whoIs(caller: Caller, owner: string): Who {
  const who = CALLERS[caller]
  return who === null ? {} : { ...who, as: who.as === 'owner' ? owner : who.as }
}

export const EVERY_CALLER = Object.keys(CALLERS) as Caller[]
const SIGNED_IN = EVERY_CALLER.filter((caller) => caller !== 'anonymous')

const MANAGERS = ['admin of the organization', 'manager of the organization'] as const
const MEMBERS = ['member of the organization', 'approver of the organization', ...MANAGERS] as const

/** The callers that may, by the access of a route. Others get 401, or the answer for a module that does not exist. */
export const MAY: Record<Access, readonly Caller[]> = {
  anyone: EVERY_CALLER,
  ticket: EVERY_CALLER,
  link: EVERY_CALLER,
  user: SIGNED_IN,
  viewer: SIGNED_IN,
  owner: ['owner', ...MEMBERS],
  editor: ['owner', ...MEMBERS, 'invited'],
  inspector: ['owner', ...MANAGERS, 'operator'],
  deleter: ['owner', ...MANAGERS],
  manager: MANAGERS,
  admin: ['member of another organization', ...MANAGERS],
  member: MEMBERS,
}

/** Those who know of a module whether it is shared or not. */
export const NEEDS_NO_SHARING: readonly Caller[] = MAY.editor
