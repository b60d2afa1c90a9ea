import { env } from 'cloudflare:workers'
import { signToken } from '#local/clerk/session/tokens.ts'

interface SignIn {
  orgId?: string
  orgRole?: string
  orgPermissions?: readonly string[]
  /** Claims to add or overwrite. */
  claims?: Record<string, unknown>
}

/** A bearer token of the stand-in's instance for a user that need not have signed up. */
export function tokenOf(userId: string, { orgId, orgRole, orgPermissions, claims }: SignIn = {}): Promise<string> {
  const parties = { azp: 'http://localhost:8787', iss: env.CLERK_ISSUER }
  const permissions = orgPermissions === undefined ? {} : { org_permissions: orgPermissions }
  const organization = { org_id: orgId ?? null, org_role: orgRole ?? null, ...permissions }
  return signToken(env.DB, { ...parties, sub: userId, ...organization, ...claims })
}
