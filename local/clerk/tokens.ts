import { encodeBase64, encodeBase64Url as encodePadded } from 'hono/utils/encode'
import { FapiError, type StandInContext, standInIssuer, unauthenticated } from './context.ts'
import { findOpenSession, type UserSession } from './store/account-store.ts'
import { listMembershipsOf, type OrganizationMembership } from './store/organization-store.ts'
import { createTables, openStandInDb, signingKeys } from './tables.ts'

const ALGORITHM = { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' }
const KEY_ID = 'ins_local'
const PEM_LINE = /.{64}/g

/** The private key of this installation, made at first use; every caller gets the same. */
export async function loadSigningKey(binding: D1Database): Promise<JsonWebKey> {
  const db = openStandInDb(binding)
  const [stored] = await db.select().from(signingKeys)
  if (stored) return stored.jwk
  // Two first requests may both get here; the first row wins and both use it.
  await db
    .insert(signingKeys)
    .values({ id: KEY_ID, jwk: await makeKey() })
    .onConflictDoNothing()
  return loadSigningKey(binding)
}

/** The public half as PEM, for `clerkIdentity`. */
export async function standInJwtKey(binding: D1Database): Promise<string> {
  await createTables(binding, [signingKeys])
  const { kty, n, e } = await loadSigningKey(binding)
  const key = await crypto.subtle.importKey('jwk', { kty: kty as string, n, e }, ALGORITHM, true, ['verify'])
  const text = encodeBase64((await crypto.subtle.exportKey('spki', key)) as ArrayBuffer)
  return `-----BEGIN PUBLIC KEY-----\n${text.replace(PEM_LINE, '$&\n')}\n-----END PUBLIC KEY-----\n`
}

/** Signs with the key; the answer is the signature's bytes. */
export async function signWith(jwk: JsonWebKey, content: string): Promise<ArrayBuffer> {
  const key = await crypto.subtle.importKey('jwk', jwk, ALGORITHM, false, ['sign'])
  return crypto.subtle.sign(ALGORITHM.name, key, new TextEncoder().encode(content))
}

async function makeKey(): Promise<JsonWebKey> {
  const parameters = { ...ALGORITHM, modulusLength: 2048, publicExponent: new Uint8Array([1, 0, 1]) }
  const pair = (await crypto.subtle.generateKey(parameters, true, ['sign', 'verify'])) as CryptoKeyPair
  return (await crypto.subtle.exportKey('jwk', pair.privateKey)) as JsonWebKey
}

/** Who is signed in in this browser, with what belongs to them. */
export interface SignedIn extends UserSession {
  memberships: OrganizationMembership[]
}

export async function findSignedIn(c: StandInContext): Promise<SignedIn | null> {
  const { db, clientId } = c.var
  const found = clientId && (await findOpenSession(db, clientId))
  return found ? { ...found, memberships: await listMembershipsOf(db, found.user.id) } : null
}

/** @throws {FapiError} 401 without one, or when the session named is not theirs. */
export async function getSignedIn(c: StandInContext, sessionId?: string): Promise<SignedIn> {
  const signedIn = await findSignedIn(c)
  if (!signedIn || (sessionId && sessionId !== signedIn.session.id)) throw unauthenticated()
  return signedIn
}

function activeMembership({ session, memberships }: SignedIn): OrganizationMembership | null {
  return memberships.find(({ organization }) => organization.id === session.organizationId) ?? null
}

/** @throws {FapiError} when a user is signed in already, for example from another tab. */
export async function refuseSecondSession(c: StandInContext): Promise<void> {
  if (await findSignedIn(c)) throw new FapiError(400, 'session_exists', "You're already signed in.")
}

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
