import { encodeBase64Url as encodePadded } from 'hono/utils/encode'
import { type StandInContext, standInIssuer } from './context.ts'
import { activeMembership, type SignedIn } from './signed-in.ts'
import { loadSigningKey, signWith } from './signing-key.ts'

// Clerk's default for session tokens and for tokens of a template.
const LIFETIME_S = 60
const SESSION_TOKEN_CATEGORY = 'cl_B7d4PD111AAA'
const TEMPLATE_TOKEN_CATEGORY = 'cl_B7d4PD222AAA'

type Claims = Record<string, unknown>

/** A session token of version 2, as `getToken()` and the `__session` cookie carry it. */
export async function mintSessionToken(c: StandInContext, signedIn: SignedIn): Promise<string> {
  const claims: Claims = {
    fva: [minutesSince(signedIn.session.createdAtMs), -1],
    sid: signedIn.session.id,
    sts: 'active',
    v: 2,
  }
  const active = activeMembership(signedIn)
  if (active) {
    const { id, slug } = active.organization
    claims.o = { id, rol: active.membership.role.replace(/^org:/, ''), slg: slug }
  }
  return mint(c, SESSION_TOKEN_CATEGORY, { ...claims, sub: signedIn.user.id })
}

/** The token of the template `api`: `{ "org_id": "{{org.id}}", "org_role": "{{org.role}}", "email": "{{user.primary_email_address}}" }`. */
export async function mintApiToken(c: StandInContext, signedIn: SignedIn): Promise<string> {
  const active = activeMembership(signedIn)
  return mint(c, TEMPLATE_TOKEN_CATEGORY, {
    jti: crypto.randomUUID(),
    sub: signedIn.user.id,
    email: signedIn.user.email,
    org_id: active?.organization.id ?? null,
    org_role: active?.membership.role ?? null,
  })
}

async function mint(c: StandInContext, category: string, claims: Claims): Promise<string> {
  const { db, origin } = c.var.options
  const nowS = Math.floor(Date.now() / 1000)
  const times = { iat: nowS, nbf: nowS, exp: nowS + LIFETIME_S }
  const jwk = await loadSigningKey(db)
  const content = [
    { alg: 'RS256', cat: category, kid: 'ins_local', typ: 'JWT', oiat: nowS },
    { azp: c.req.header('origin') ?? origin, iss: standInIssuer(origin), ...times, ...claims },
  ]
    .map((part) => encodeBase64Url(new TextEncoder().encode(JSON.stringify(part)).buffer))
    .join('.')
  return `${content}.${encodeBase64Url(await signWith(jwk, content))}`
}

function minutesSince(timeMs: number): number {
  return Math.floor((Date.now() - timeMs) / 60_000)
}

/** JWTs carry no padding (RFC 7515 §2). */
function encodeBase64Url(bytes: ArrayBufferLike): string {
  return encodePadded(bytes).replaceAll('=', '')
}
