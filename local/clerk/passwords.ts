import { decodeBase64, encodeBase64 } from 'hono/utils/encode'

// The most that workerd's PBKDF2 accepts.
const ITERATIONS = 100_000
const SALT_BYTES = 16
const HASH_BITS = 256

/** @returns salt and hash as one text. */
export async function hashPassword(password: string): Promise<string> {
  const salt = crypto.getRandomValues(new Uint8Array(SALT_BYTES))
  return `${encodeBase64(salt.buffer)}:${await derive(password, salt)}`
}

export async function isPassword(password: string, stored: string): Promise<boolean> {
  const [salt = '', hash] = stored.split(':')
  return (await derive(password, decodeBase64(salt))) === hash
}

async function derive(password: string, salt: Uint8Array<ArrayBuffer>): Promise<string> {
  const key = await crypto.subtle.importKey('raw', new TextEncoder().encode(password), 'PBKDF2', false, ['deriveBits'])
  const parameters = { name: 'PBKDF2', hash: 'SHA-256', salt, iterations: ITERATIONS }
  return encodeBase64(await crypto.subtle.deriveBits(parameters, key, HASH_BITS))
}
