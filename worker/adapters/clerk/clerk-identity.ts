import { verifyToken } from '@clerk/backend'
import { TokenVerificationError, TokenVerificationErrorReason } from '@clerk/backend/errors'
import { decodeJwt, verifyJwt } from '@clerk/backend/jwt'
import { z } from 'zod'
import { AppError } from '#worker/core/errors.ts'
import type { Caller, Identity } from '#worker/ports/identity.ts'
import type { PublishedKeys } from './published-keys.ts'

/**
 * Unpacks the permissions in the active organization, as in `org:dash:manage`, of features with their scope (`fea`, as
 * in `o:dash,u:notes`), names of permissions (`per`, as in `manage,read`), and for each feature of the organization a
 * number whose bits say which of them it has (`fpm`, as in `3,1`).
 * @see Clerk, "Session tokens", version 2
 */
function unpackPermissions({ fea = '', o: { per = '', fpm = '' } = {} }: Claims): string[] {
  const names = listed(per)
  const features = listed(fea).flatMap((feature) => /^u?o:(.+)$/.exec(feature)?.[1] ?? [])
  const maps = listed(fpm).map(Number)
  return features.flatMap((feature, index) =>
    names.filter((_, bit) => hasBit(maps[index] ?? 0, bit)).map((name) => `org:${feature}:${name}`),
  )
}

function listed(text: string): string[] {
  return text
    .split(',')
    .map((each) => each.trim())
    .filter((each) => each !== '')
}

function hasBit(map: number, bit: number): boolean {
  return Math.floor(map / 2 ** bit) % 2 === 1
}

interface ClerkIdentityOptions {
  /** RS256 public key of the Clerk instance, PEM (SPKI, 2048 bit); a literal `\n` counts as a line break. */
  jwtKey: () => Promise<string>
  /** The only accepted `iss`. */
  issuer: string
  /** The only accepted `azp`: the origins that the app is opened at. */
  authorizedParties: readonly string[]
  /** Finds the key of a token that the first key does not verify, as after a rotation. Without it there is one key. */
  publishedKeys?: PublishedKeys
}

// Clerk leaves a shortcode such as {{org.id}} unresolved without an active organization; only a real id may group owners.
const orgId = z.string().startsWith('org_').nullish().catch(null)
const orgRole = z.string().min(1).nullish().catch(null)

/** Clerk does not say in the token why a session is pending. */
const PENDING =
  'Your sign-in is not complete. Open Adapt in a browser: it shows what is missing, such as an organization to choose.'

const packed = z.string().optional().catch(undefined)

const claimsSchema = z.object({
  sub: z.string().min(1),
  iss: z.string(),
  sts: z.string().optional(),
  // A template may name the audience of a token; one without is for the party in `azp`.
  aud: z.union([z.string(), z.array(z.string())]).optional(),
  org_id: orgId,
  org_role: orgRole,
  org_permissions: z.array(z.string()).nullish().catch(null),
  fea: packed,
  // Minutes since the first factor and the second; -1 for one that was never verified. Only session tokens have it.
  fva: z.tuple([z.number(), z.number()]).optional().catch(undefined),
  o: z.object({ id: orgId, rol: orgRole, per: packed, fpm: packed }).optional().catch(undefined),
})

/** In `fva`: a factor that was not verified. */
const NEVER = -1

type Claims = z.infer<typeof claimsSchema>

/** Verifies the tokens of a Clerk instance, template tokens and session tokens of version 2; as a rule without asking Clerk. */
export function clerkIdentity(options: ClerkIdentityOptions): Identity {
  return {
    async verify(token) {
      const jwtKey = (await options.jwtKey()).replaceAll('\\n', '\n').trim()
      requireSettings(jwtKey, options)
      const claims = await readClaims(token, jwtKey, options)
      if (!claims || claims.iss !== options.issuer) return null
      if (!isForUs(claims, options.authorizedParties)) return null
      if (claims.sts === 'pending') throw new AppError('sign_in_incomplete', PENDING)
      return callerFrom(claims)
    },
  }
}

function isForUs({ aud }: Claims, authorizedParties: readonly string[]): boolean {
  if (aud === undefined) return true
  return [aud].flat().some((audience) => authorizedParties.includes(audience))
}

// Clerk skips a check whose setting is empty; a missing variable must refuse tokens, not accept them.
function requireSettings(jwtKey: string, { issuer, authorizedParties }: ClerkIdentityOptions): void {
  if (!jwtKey || !issuer || authorizedParties.length === 0) {
    throw new Error('Sign-in is not set up: CLERK_JWT_KEY, CLERK_ISSUER and APP_ORIGINS are all needed')
  }
}

async function readClaims(token: string, jwtKey: string, options: ClerkIdentityOptions): Promise<Claims | null> {
  try {
    if (!isSignedWithRs256(token)) return null
    const authorizedParties = [...options.authorizedParties]
    const claims = await verifyToken(token, { jwtKey, authorizedParties }).catch((error: TokenVerificationError) => {
      if (error.reason !== TokenVerificationErrorReason.TokenInvalidSignature) throw error
      return verifyWithPublishedKey(token, options)
    })
    return claimsSchema.safeParse(claims).data ?? null
  } catch (error) {
    if (error instanceof TokenVerificationError) return null
    throw error
  }
}

/** The claims of a token that another key than ours has signed, if Clerk publishes that one. */
async function verifyWithPublishedKey(token: string, options: ClerkIdentityOptions): Promise<unknown> {
  const { header, payload } = decodeJwt(token)
  const kid: unknown = header.kid
  // Clerk is not asked about tokens that would be refused all the same.
  if (typeof kid !== 'string' || payload.iss !== options.issuer) return null
  const key = await options.publishedKeys?.find(kid)
  return key && verifyJwt(token, { key, authorizedParties: [...options.authorizedParties] })
}

// verifyToken reads the header unchecked, so a header that is no object would be thrown as a TypeError.
function isSignedWithRs256(token: string): boolean {
  const header: unknown = decodeJwt(token).header
  return z.object({ alg: z.literal('RS256') }).safeParse(header).success
}

function callerFrom(claims: Claims): Caller {
  const { sub: userId, o, fva: [verifiedMinutesAgo] = [NEVER] } = claims
  const org = o ?? { id: claims.org_id, rol: claims.org_role }
  const person = { userId, ...(verifiedMinutesAgo >= 0 && { verifiedMinutesAgo }) }
  if (!org.id) return { ...person, orgId: null, orgRole: null, orgPermissions: [] }
  const orgPermissions = o ? unpackPermissions(claims) : (claims.org_permissions ?? [])
  return { ...person, orgId: org.id, orgRole: org.rol ? withPrefix(org.rol) : null, orgPermissions }
}

function withPrefix(role: string): string {
  return role.startsWith('org:') ? role : `org:${role}`
}
