import { env } from 'cloudflare:workers'
import { encodeBase64Url } from 'hono/utils/encode'
import { createTables } from '#local/clerk/tables.ts'
import { loadSigningKey, signWith } from '#local/clerk/tokens.ts'

interface SignIn {
  orgId?: string
  orgRole?: string
  /** Claims to add or overwrite. */
  claims?: Record<string, unknown>
}

/** A bearer token of the stand-in's instance for a user that need not have signed up. */
export async function tokenOf(userId: string, { orgId, orgRole, claims }: SignIn = {}): Promise<string> {
  await createTables(env.DB)
  const nowS = Math.floor(Date.now() / 1000)
  const payload = {
    azp: 'http://localhost:8787',
    iss: env.CLERK_ISSUER,
    iat: nowS,
    nbf: nowS,
    exp: nowS + 60,
    sub: userId,
    org_id: orgId ?? null,
    org_role: orgRole ?? null,
    ...claims,
  }
  const content = [{ alg: 'RS256', typ: 'JWT', kid: 'ins_local' }, payload].map(encode).join('.')
  return `${content}.${toText(await signWith(await loadSigningKey(env.DB), content))}`
}

function encode(part: unknown): string {
  return toText(new TextEncoder().encode(JSON.stringify(part)).buffer)
}

/** JWTs carry no padding (RFC 7515 §2). */
function toText(bytes: ArrayBufferLike): string {
  return encodeBase64Url(bytes).replaceAll('=', '')
}
