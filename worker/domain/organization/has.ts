import type { Caller } from '#worker/ports/identity.ts'

/** What is asked of a member: a role by its name, or one permission, both with the `org:` prefix. */
export type Asked = { role: string } | { permission: string }

/**
 * Whether the caller's role in the active organization is this one, or its permissions include this one. Without an
 * active organization the caller has no role and no permission.
 * @throws when nothing is asked, which every caller would have
 */
export function has({ orgId, orgRole, orgPermissions }: Caller, asked: Asked): boolean {
  const name = 'role' in asked ? asked.role : asked.permission
  if (!name) throw new Error('A check needs a role or a permission.')
  if (orgId === null) return false
  return 'role' in asked ? orgRole === name : orgPermissions.includes(name)
}

/** The role whose bearers look after an organization's modules. */
export const ORG_ADMIN = { role: 'org:admin' } as const satisfies Asked
