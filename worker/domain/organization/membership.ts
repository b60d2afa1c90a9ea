import { AppError } from '#worker/core/errors.ts'
import type { Caller } from '#worker/ports/identity.ts'

/** What is asked of a member: a role by its name, or one permission, both with the `org:` prefix. */
export type Asked = { role: string } | { permission: string }

/**
 * Whether the caller's role in the active organization is this one, or its permissions include this one. Without an
 * active organization the caller has no role and no permission.
 * @throws when nothing is asked, which every caller would have
 */
export function has({ orgId, orgRole, orgPermissions }: Caller, required: Asked): boolean {
  const name = 'role' in required ? required.role : required.permission
  if (!name) throw new Error('A check needs a role or a permission.')
  if (orgId === null) return false
  return 'role' in required ? orgRole === name : orgPermissions.includes(name)
}

const ORG_ADMIN = { role: 'org:admin' } as const satisfies Asked
const MANAGE_MODULES = { permission: 'org:modules:manage' } as const satisfies Asked

/**
 * Whether the caller manages all modules of the active organization: deletes, restores, takes over and inspects them.
 * Clerk's role admin does without further settings, and any other role with the permission.
 */
export function managesModules(caller: Caller): boolean {
  return has(caller, ORG_ADMIN) || has(caller, MANAGE_MODULES)
}

const SIGN_OFF = { permission: 'org:training:sign' } as const satisfies Asked

/**
 * The active organization of a supervisor, who may see how its people stand and sign them off: who manages its modules,
 * or has the permission for it.
 * @throws {AppError} not_found for everybody else
 */
export function getSigningOrg(caller: Caller): string {
  if (caller.orgId !== null && (managesModules(caller) || has(caller, SIGN_OFF))) return caller.orgId
  throw new AppError('not_found', 'There is no organization whose trainings you sign off.')
}

/** The column and the value by which a list finds its modules. */
export interface ListOwner {
  column: 'org_id' | 'user_id'
  id: string
}

/** Finds whose modules a caller's lists show: the active organization's, otherwise all that the caller has uploaded. */
export function listOwnerOf({ userId, orgId }: Pick<Caller, 'userId' | 'orgId'>): ListOwner {
  return orgId === null ? { column: 'user_id', id: userId } : { column: 'org_id', id: orgId }
}
