import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { clerkIdentity } from './clerk-identity.ts'
import { publishedKeys } from './published-keys.ts'
import { makeSigner, RS256_HEADER, type Signer } from './testing/signer.ts'

const ISSUER = 'https://clerk.adapt.test'
const KEYS_URL = `${ISSUER}/.well-known/jwks.json`
const ORIGIN = 'https://adapt.test'
const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS

let configured: Signer
let next: Signer
let theirs: Signer
/** What the instance publishes now; a number is the status of a failure. */
let published: unknown[] | number
let asked: string[]
let clockMs: number
let warn: ReturnType<typeof vi.spyOn>

beforeAll(async () => {
  const [first, second, third] = await Promise.all(['ins_1', 'ins_2', 'ins_3'].map((kid) => makeSigner({ kid })))
  configured = first as Signer
  next = second as Signer
  theirs = third as Signer
})

beforeEach(() => {
  published = [configured.jwk, next.jwk]
  asked = []
  clockMs = Date.now()
  warn = vi.spyOn(console, 'warn').mockImplementation(() => {})
})

afterEach(() => vi.restoreAllMocks())

async function answerKeys(url: string): Promise<Response> {
  asked.push(url)
  if (typeof published === 'number') return new Response('', { status: published })
  return Response.json({ keys: published })
}

function openIdentity(fetchKeys: (url: string, signal: AbortSignal) => Promise<Response> = answerKeys) {
  return clerkIdentity({
    jwtKey: async () => configured.pem,
    issuer: ISSUER,
    authorizedParties: [ORIGIN],
    publishedKeys: publishedKeys({ url: KEYS_URL, fetchKeys, now: () => clockMs }),
  })
}

function claims(changes: Record<string, unknown> = {}) {
  const nowS = Math.floor(Date.now() / 1000)
  return { azp: ORIGIN, iss: ISSUER, sub: 'user_1', iat: nowS, nbf: nowS, exp: nowS + 60, ...changes }
}

const caller = { userId: 'user_1', orgId: null, orgRole: null, orgPermissions: [] }

describe('clerkIdentity beside the keys that Clerk publishes', () => {
  it('sends no request for a token of the configured key', async () => {
    expect(await openIdentity().verify(await configured.sign(claims()))).toEqual(caller)
    expect(asked).toEqual([])
  })

  it('accepts a token of a new key before that is configured, and asks once', { tags: 'fault-39' }, async () => {
    const identity = openIdentity()
    expect(await identity.verify(await next.sign(claims()))).toEqual(caller)
    expect(await identity.verify(await next.sign(claims({ sub: 'user_2' })))).toEqual({ ...caller, userId: 'user_2' })
    expect(asked).toEqual([KEYS_URL])
  })

  it('finds a key that is published later, a minute after it asked last', async () => {
    published = [configured.jwk]
    const identity = openIdentity()
    const token = await next.sign(claims())
    expect(await identity.verify(token)).toBeNull()
    published = [configured.jwk, next.jwk]
    clockMs += MINUTE_MS - 1
    expect(await identity.verify(token)).toBeNull()
    clockMs += 1
    expect(await identity.verify(token)).toEqual(caller)
    expect(asked).toHaveLength(2)
  })

  it('refuses a key that Clerk has withdrawn, after an hour', { tags: 'fault-39' }, async () => {
    const identity = openIdentity()
    const token = await next.sign(claims())
    expect(await identity.verify(token)).toEqual(caller)
    published = [configured.jwk]
    clockMs += HOUR_MS - 1
    expect(await identity.verify(token)).toEqual(caller)
    clockMs += 1
    expect(await identity.verify(token)).toBeNull()
  })

  it('uses the keys that it knows for a day while Clerk cannot be reached', async () => {
    const identity = openIdentity()
    const token = await next.sign(claims())
    await identity.verify(token)
    published = 503
    clockMs += 2 * HOUR_MS
    expect(await identity.verify(token)).toEqual(caller)
    expect(warn).toHaveBeenCalledWith(expect.objectContaining({ event: 'clerk_keys_unreadable' }))
    clockMs += 22 * HOUR_MS
    expect(await identity.verify(token)).toBeNull()
  })

  it('asks once for a flood of tokens that name keys which do not exist', async () => {
    const identity = openIdentity()
    const flood = Array.from({ length: 200 }, (_, i) => theirs.sign(claims(), { ...RS256_HEADER, kid: `made-up-${i}` }))
    const answers = await Promise.all((await Promise.all(flood)).map((token) => identity.verify(token)))
    expect(new Set(answers)).toEqual(new Set([null]))
    expect(asked).toHaveLength(1)
  })

  it('lets those who come while it asks wait for that one answer', async () => {
    let answer = () => {}
    const slow = new Promise<void>((resolve) => {
      answer = resolve
    })
    const identity = openIdentity(async (url) => {
      await slow
      return answerKeys(url)
    })
    const token = await next.sign(claims())
    const verified = [identity.verify(token), identity.verify(token), identity.verify(token)]
    setTimeout(answer, 80)
    expect(await Promise.all(verified)).toEqual([caller, caller, caller])
    expect(asked).toHaveLength(1)
  })

  it('does not ask about a token of another issuer, or one that names no key', async () => {
    const identity = openIdentity()
    expect(await identity.verify(await next.sign(claims({ iss: 'https://evil.test' })))).toBeNull()
    expect(await identity.verify(await next.sign(claims(), RS256_HEADER))).toBeNull()
    expect(asked).toEqual([])
  })

  it('reads keys from the configured address only, whatever a token says', async () => {
    const header = { ...RS256_HEADER, kid: 'ins_3', jku: 'https://evil.test/jwks.json', jwk: theirs.jwk }
    expect(await openIdentity().verify(await theirs.sign(claims(), header))).toBeNull()
    expect(asked).toEqual([KEYS_URL])
  })

  it('refuses a token that names the key of another', async () => {
    const header = { ...RS256_HEADER, kid: 'ins_2' }
    expect(await openIdentity().verify(await theirs.sign(claims(), header))).toBeNull()
  })

  it.each([
    ['another app', { azp: 'https://evil.test' }],
    ['an hour ago', { exp: Math.floor(Date.now() / 1000) - 3600 }],
  ])('holds a published key to the same checks: refuses a token for %s', { tags: 'fault-39' }, async (_, changes) => {
    expect(await openIdentity().verify(await next.sign(claims(changes)))).toBeNull()
  })

  it('says of a session that still has a task to do what to do, with a published key as well', async () => {
    const pending = await next.sign(claims({ sts: 'pending' }))
    await expect(openIdentity().verify(pending)).rejects.toMatchObject({ code: 'sign_in_incomplete' })
  })

  it.each([
    ['for another algorithm', { alg: 'RS512' }],
    ['for encryption', { use: 'enc' }],
    ['that is a shared secret', { kty: 'oct', alg: 'HS256', k: 'c2VjcmV0' }],
    ['that is too short', { n: 'AQAB' }],
  ])('leaves out a published key %s', async (_, changes) => {
    published = [configured.jwk, { ...next.jwk, ...changes }, 'nonsense']
    expect(await openIdentity().verify(await next.sign(claims()))).toBeNull()
  })

  it.each<[string, () => Promise<Response>]>([
    ['a redirect', async () => Response.redirect('https://evil.test/jwks.json', 302)],
    ['something that is no JSON', async () => new Response('<html>')],
    ['no keys', async () => Response.json({ keys: [] })],
    ['too much', async () => Response.json({ keys: [next.jwk], more: 'x'.repeat(70_000) })],
    ['nothing', () => Promise.reject(new Error('Network connection lost.'))],
  ])('refuses, without failing, when the address answers with %s', async (_, answer) => {
    const identity = openIdentity(answer)
    expect(await identity.verify(await next.sign(claims()))).toBeNull()
    expect(await identity.verify(await configured.sign(claims()))).toEqual(caller)
  })

  it('gives the address a few seconds to answer', async () => {
    let deadline: AbortSignal | undefined
    await openIdentity(async (url, signal) => {
      deadline = signal
      return answerKeys(url)
    }).verify(await next.sign(claims()))
    expect(deadline).toBeInstanceOf(AbortSignal)
  })
})
