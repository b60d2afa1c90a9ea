import { z } from 'zod'
import type { Context } from '#worker/core/context.ts'
import { AppError } from '#worker/core/errors.ts'
import { decodeBase64Url, encodeBase64Url, hashText, readSigned, signPayload } from '#worker/domain/signed-payload.ts'
import { linkIdOf } from './link-state.ts'
import { countLinkMiss, LINK_MISS_PERIOD_MS, refundLinkMiss } from './link-store.ts'
import type { ModuleRow } from './module-store.ts'

/** The most that Workers allow (PBKDF2 of their Web Crypto). The hash keeps its own number. */
const ITERATIONS = 100_000
const SALT_BYTES = 16
const HASH_BITS = 256

/** Derives the same from a password however a keyboard has written it. */
async function derive(password: string, salt: Uint8Array, iterations: number): Promise<Uint8Array> {
  const bytes = new TextEncoder().encode(password.normalize('NFKC'))
  const key = await crypto.subtle.importKey('raw', bytes, 'PBKDF2', false, ['deriveBits'])
  const options = { name: 'PBKDF2', hash: 'SHA-256', salt, iterations }
  return new Uint8Array(await crypto.subtle.deriveBits(options, key, HASH_BITS))
}

/** Hashes a password to be kept: the number of iterations, a salt of its own, and PBKDF2-HMAC-SHA-256. */
export async function hashPassword(password: string): Promise<string> {
  const salt = crypto.getRandomValues(new Uint8Array(SALT_BYTES))
  return [ITERATIONS, encodeBase64Url(salt), encodeBase64Url(await derive(password, salt, ITERATIONS))].join('.')
}

async function isPassword(stored: string, password: string): Promise<boolean> {
  const [iterations = '', saltText = '', storedText = ''] = stored.split('.')
  const [salt, hash] = [decodeBase64Url(saltText), decodeBase64Url(storedText)]
  if (salt === null || hash === null) return false
  const derived = await derive(password, salt, Number(iterations))
  return derived.byteLength === hash.byteLength && crypto.subtle.timingSafeEqual(derived, hash)
}

const LinkToken = z.object({
  kind: z.literal('link'),
  linkId: z.string(),
  /** Changes with the password. */
  key: z.string(),
  expiresAtMs: z.number(),
})

/** How long a device does not ask again. Another password ends it at once. */
export const LINK_TOKEN_TTL_MS = 30 * 24 * 60 * 60_000

const KEY_BYTES = 12

/** Whether a token was signed for a link and has not expired; whether its password is still the one, the module says. */
export async function isLinkToken(
  { secrets, nowMs }: Pick<Context, 'secrets' | 'nowMs'>,
  token: string,
  linkId: string,
): Promise<boolean> {
  return (await readLinkToken({ secrets, nowMs }, token, linkId)) !== null
}

async function readLinkToken({ secrets, nowMs }: Pick<Context, 'secrets' | 'nowMs'>, token: string, linkId: string) {
  const { data } = LinkToken.safeParse(await readSigned(secrets, token))
  return data?.linkId === linkId && data.expiresAtMs > nowMs() ? data : null
}

/** Whether a visitor may open a link: it has no password, or this one has been entered on their device. */
export async function isUnlocked(
  context: Pick<Context, 'secrets' | 'nowMs' | 'linkTokenOf'>,
  module: ModuleRow,
): Promise<boolean> {
  if (module.linkPassword === null) return true
  const token = context.linkTokenOf?.(linkIdOf(module)) ?? null
  const read = token === null ? null : await readLinkToken(context, token, linkIdOf(module))
  return read?.key === (await hashText(module.linkPassword, KEY_BYTES))
}

/** The answer for a link whose password is needed. */
export function linkLocked(message = 'This link needs a password.'): AppError {
  return new AppError('link_locked', message)
}

/**
 * Takes the password of a link. Each try is counted before it is checked, so that no more are checked than are allowed
 * however many come at once.
 * @returns the token that opens the link from then on; null where it needs no password
 * @throws {AppError} link_locked for another password; rate_limited after too many of them
 */
export async function unlockLink(
  context: Pick<Context, 'd1' | 'secrets' | 'nowMs'>,
  module: ModuleRow,
  password: string,
): Promise<string | null> {
  const { id, linkPassword } = module
  if (linkPassword === null) return null
  const nowMs = context.nowMs()
  if (!(await countLinkMiss(context.d1, id, nowMs)))
    throw new AppError(
      'rate_limited',
      'Too many wrong passwords were tried. Please ask the person who sent the link.',
      {
        retryAfterS: Math.ceil(((module.linkMissedAt ?? nowMs) + LINK_MISS_PERIOD_MS - nowMs) / 1000),
      },
    )
  if (!(await isPassword(linkPassword, password))) throw linkLocked('This is not the password of the link.')
  await refundLinkMiss(context.d1, id)
  const key = await hashText(linkPassword, KEY_BYTES)
  const expiresAtMs = nowMs + LINK_TOKEN_TTL_MS
  return signPayload(context.secrets, { kind: 'link', linkId: linkIdOf(module), key, expiresAtMs } satisfies z.infer<
    typeof LinkToken
  >)
}
