import { signJwt } from '@clerk/backend/jwt'
import { encodeBase64 } from 'hono/utils/encode'
import { factorAges, permissionsOf } from '../json/resources.ts'
import { findOpenSession } from '../store/account-store.ts'
import { failure, unauthenticated } from '../store/failures.ts'
import { listMembershipsOf, type OrganizationMembership, type SignedIn } from '../store/organization-store.ts'
import { createTables, openStandInDb, signingKeys } from '../store/tables.ts'
import { type StandInContext, standInIssuer } from './context.ts'

const ALGORITHM = { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' }
const KEY_ID = 'ins_local'
const PEM_LINE = /.{64}/g

interface SigningKey {
  jwk: JsonWebKey
  /** The public half. */
  pem: string
}

/** The key never changes, and looking it up twice a request would take as long as all the rest of it. */
let known: SigningKey | undefined

/** For tests, whose next file begins with an empty database. */
export function forgetSigningKey(): void {
  known = undefined
}

/** The key of this installation, made at first use; every caller gets the same. */
async function loadSigningKey(binding: D1Database): Promise<SigningKey> {
  if (known !== undefined) return known
  await createTables(binding, [signingKeys])
  const jwk = await findOrMakeKey(binding)
  known = { jwk, pem: await publicPem(jwk) }
  return known
}

async function findOrMakeKey(binding: D1Database): Promise<JsonWebKey> {
  const db = openStandInDb(binding)
  const [stored] = await db.select().from(signingKeys)
  if (stored) return stored.jwk
  // Two first requests may both get here; the first row wins and both use it.
  await db
    .insert(signingKeys)
    .values({ id: KEY_ID, jwk: await makeKey() })
    .onConflictDoNothing()
  return findOrMakeKey(binding)
}

async function makeKey(): Promise<JsonWebKey> {
  const parameters = { ...ALGORITHM, modulusLength: 2048, publicExponent: new Uint8Array([1, 0, 1]) }
  const pair = (await crypto.subtle.generateKey(parameters, true, ['sign', 'verify'])) as CryptoKeyPair
  return (await crypto.subtle.exportKey('jwk', pair.privateKey)) as JsonWebKey
}

async function publicPem({ kty, n, e }: JsonWebKey): Promise<string> {
  const key = await crypto.subtle.importKey('jwk', { kty: kty as string, n, e }, ALGORITHM, true, ['verify'])
  const text = encodeBase64((await crypto.subtle.exportKey('spki', key)) as ArrayBuffer)
  return `-----BEGIN PUBLIC KEY-----\n${text.replace(PEM_LINE, '$&\n')}\n-----END PUBLIC KEY-----\n`
}

/** The public half as PEM, for `clerkIdentity`. */
export async function standInJwtKey(binding: D1Database): Promise<string> {
  const { pem } = await loadSigningKey(binding)
  return pem
}

// Clerk's default for session tokens and for tokens of a template.
const LIFETIME_S = 60

type Claims = Record<string, unknown>

/** Signs a token that holds for a minute from now. Claims and fields of the header may be added and replaced. */
export async function signToken(binding: D1Database, claims: Claims, header: Claims = {}): Promise<string> {
  const nowS = Math.floor(Date.now() / 1000)
  const payload = { nbf: nowS, exp: nowS + LIFETIME_S, ...claims }
  const fields = { kid: KEY_ID, typ: 'JWT', ...header }
  const { jwk } = await loadSigningKey(binding)
  return signJwt(payload, jwk, { algorithm: 'RS256', header: fields })
}

export async function findSignedIn(c: StandInContext): Promise<SignedIn | null> {
  const { db, clientId } = c.var
  const found = clientId && (await findOpenSession(db, clientId))
  return found ? { ...found, memberships: await listMembershipsOf(db, found.user.id) } : null
}

/** @throws {HTTPException} 401 without one, or when the session that the address names is not theirs. */
export async function getSignedIn(c: StandInContext): Promise<SignedIn> {
  const signedIn = await findSignedIn(c)
  const sessionId = c.req.param('sessionId')
  if (!signedIn || (sessionId && sessionId !== signedIn.session.id)) throw unauthenticated()
  return signedIn
}

/** @throws {HTTPException} when a user is signed in already, for example from another tab. */
export async function refuseSecondSession(c: StandInContext): Promise<void> {
  if (await findSignedIn(c)) throw failure(400, 'session_exists', "You're already signed in.")
}

function activeMembership({ session, memberships }: SignedIn): OrganizationMembership | null {
  return memberships.find(({ organization }) => organization.id === session.organizationId) ?? null
}

/** Whether the session waits until its person has chosen an organization. */
export function isPending(c: StandInContext, signedIn: SignedIn): boolean {
  return c.var.options.isMembershipRequired && activeMembership(signedIn) === null
}

const SESSION_TOKEN_CATEGORY = 'cl_B7d4PD111AAA'
const TEMPLATE_TOKEN_CATEGORY = 'cl_B7d4PD222AAA'

/** A session token of version 2, as `getToken()` and the `__session` cookie carry it. */
export async function mintSessionToken(c: StandInContext, signedIn: SignedIn): Promise<string> {
  const { session, user } = signedIn
  const active = activeMembership(signedIn)
  const sts = isPending(c, signedIn) ? 'pending' : 'active'
  const claims = { fva: factorAges(signedIn), sid: session.id, sts, v: 2, sub: user.id }
  return mint(c, SESSION_TOKEN_CATEGORY, { ...claims, ...(active && organizationClaims(active)) })
}

/**
 * The active organization as version 2 writes it: `fea` lists its features, `per` the names of permissions, and `fpm`
 * for each feature a number whose bits say which of these names it has. Clerk's own permissions are left out, which
 * leaves `org:modules:manage` or nothing.
 */
function organizationClaims({ organization: { id, slug: slg }, membership: { role } }: OrganizationMembership) {
  const [fea, per, fpm] = permissionsOf(role).includes('org:modules:manage')
    ? ['o:modules', 'manage', '1']
    : ['', '', '']
  return { fea, o: { id, rol: role.replace(/^org:/, ''), slg, per, fpm } }
}

/**
 * The token of the template `api`: the claims that `docs/deploy.md` asks for, and the e-mail address. The state of the
 * session (`sts`) is none of the claims that Clerk adds to those of a template.
 */
export async function mintApiToken(c: StandInContext, signedIn: SignedIn): Promise<string> {
  const active = activeMembership(signedIn)
  return mint(c, TEMPLATE_TOKEN_CATEGORY, {
    jti: crypto.randomUUID(),
    sub: signedIn.user.id,
    email: signedIn.user.email,
    org_id: active?.organization.id ?? null,
    org_role: active?.membership.role ?? null,
    org_permissions: active && permissionsOf(active.membership.role),
  })
}

/** @param category the mark by which clerk-js knows the kind of a token */
function mint(c: StandInContext, category: string, claims: Claims): Promise<string> {
  const { db, origin } = c.var.options
  const parties = { azp: c.req.header('origin') ?? origin, iss: standInIssuer(origin) }
  const header = { cat: category, oiat: Math.floor(Date.now() / 1000) }
  return signToken(db, { ...parties, ...claims }, header)
}
