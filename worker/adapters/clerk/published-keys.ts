import { z } from 'zod'
import { faultOf } from '#worker/core/errors.ts'
import { logLine } from '#worker/log/log.ts'

/** Finds a public key of the Clerk instance by the id that a token's header names. */
export interface PublishedKeys {
  /** @returns null for an id that Clerk does not publish, and while Clerk cannot be reached and the key is not known */
  find: (kid: string) => Promise<JsonWebKey | null>
}

interface PublishedKeysOptions {
  /** Comes from configuration. Never from a token, which could name a key set of its own. */
  url: string
  fetchKeys?: (url: string, signal: AbortSignal) => Promise<Response>
  now?: () => number
}

interface KnownKeys {
  byId: ReadonlyMap<string, JsonWebKey>
  readMs: number
}

/** A key that Clerk has withdrawn is refused after an hour at the latest. */
const FRESH_MS = 60 * 60_000
/** While Clerk is out of reach its keys hold for a day, so that signed-in people can keep working. */
const STALE_MS = 24 * 60 * 60_000
/** A token can name any key, so unknown ids must not each cause a request. */
const PAUSE_MS = 60_000
const DEADLINE_MS = 3000
const POLL_MS = 50
/** Clerk publishes one or two keys of half a kilobyte. */
const ANSWER_CHARS_MAX = 64 * 1024
/** 2048 bits in base64url, below which RS256 must not be used (RFC 7518, 3.3). */
const MODULUS_CHARS_MIN = 342

const rsaKey = z.object({
  kid: z.string().min(1),
  kty: z.literal('RSA'),
  alg: z.literal('RS256'),
  use: z.literal('sig').optional(),
  n: z.string().min(MODULUS_CHARS_MIN),
  e: z.string().min(1),
})
const keySet = z.object({ keys: z.array(z.unknown()) })

/**
 * The key set that a Clerk instance publishes, kept in memory. It is loaded when an unknown key is asked for, at most
 * once a minute, and again after an hour.
 */
export function publishedKeys({ url, fetchKeys = fetchPlainly, now = Date.now }: PublishedKeysOptions): PublishedKeys {
  let cachedKeys: KnownKeys | null = null
  let askedMs = Number.NEGATIVE_INFINITY
  let isAsking = false

  function keyWithin(kid: string, ageMs: number): JsonWebKey | null {
    return cachedKeys !== null && now() - cachedKeys.readMs < ageMs ? (cachedKeys.byId.get(kid) ?? null) : null
  }

  async function ask(): Promise<void> {
    askedMs = now()
    isAsking = true
    try {
      cachedKeys = { byId: await readKeys(url, fetchKeys), readMs: now() }
    } catch (error) {
      logLine('warn', 'clerk_keys_unreadable', faultOf(error))
    } finally {
      isAsking = false
    }
  }

  // An invocation may not wait for another one's request, so it polls until that has ended.
  async function waitForAnswer(): Promise<void> {
    while (isAsking && now() - askedMs < DEADLINE_MS) await new Promise((resolve) => setTimeout(resolve, POLL_MS))
  }

  return {
    async find(kid) {
      const fresh = keyWithin(kid, FRESH_MS)
      if (fresh !== null) return fresh
      if (now() - askedMs >= PAUSE_MS) await ask()
      else await waitForAnswer()
      return keyWithin(kid, STALE_MS)
    },
  }
}

async function readKeys(url: string, fetchKeys: NonNullable<PublishedKeysOptions['fetchKeys']>) {
  const answer = await fetchKeys(url, AbortSignal.timeout(DEADLINE_MS))
  if (answer.status !== 200) throw new Error(`Clerk's keys were answered with ${answer.status}`)
  const text = await answer.text()
  if (text.length > ANSWER_CHARS_MAX) throw new Error("Clerk's keys are too long to be keys")
  const keys = keySet.parse(JSON.parse(text)).keys.flatMap((key) => rsaKey.safeParse(key).data ?? [])
  if (keys.length === 0) throw new Error('Clerk published no RS256 key')
  return new Map(keys.map(({ kid, ...key }) => [kid, key]))
}

// A redirect could lead to keys of an attacker.
function fetchPlainly(url: string, signal: AbortSignal): Promise<Response> {
  return fetch(url, { signal, redirect: 'manual', headers: { accept: 'application/json' } })
}
