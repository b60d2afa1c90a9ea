import { encodeBase64 } from 'hono/utils/encode'
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
