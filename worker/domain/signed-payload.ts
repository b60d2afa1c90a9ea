import { z } from 'zod'

/**
 * The secret to sign with. While one is being changed, `TICKET_SECRET` is the new one and the old one, with a comma
 * between, so that tickets that were handed out before go on opening.
 */
function currentSecret(secrets: string): string {
  return listSecrets(secrets)[0] ?? ''
}

/**
 * Opens keyed hashes: the same each time for the same texts, of no use to find the texts by hashing all that there are.
 * @param purpose keeps the hashes of one use apart from those of another
 * @returns hexadecimal digits of so many bytes
 */
export async function makeHasher(
  secrets: string,
  { purpose, sizeBytes }: { purpose: string; sizeBytes: number },
): Promise<(...texts: string[]) => Promise<string>> {
  const key = await importKey(`${purpose}:${currentSecret(secrets)}`)
  return async (...texts) => {
    const signed = await crypto.subtle.sign('HMAC', key, new TextEncoder().encode(JSON.stringify(texts)))
    return z.util.uint8ArrayToHex(new Uint8Array(signed, 0, sizeBytes))
  }
}

/**
 * Signs what can be written as JSON: base64url(JSON) + `.` + base64url(HMAC-SHA-256).
 * @param secrets as in `TICKET_SECRET`
 */
export async function signPayload(secrets: string, value: unknown): Promise<string> {
  const payload = new TextEncoder().encode(JSON.stringify(value))
  const signature = await crypto.subtle.sign('HMAC', await importKey(currentSecret(secrets)), payload)
  return `${encodeBase64Url(payload)}.${encodeBase64Url(new Uint8Array(signature))}`
}

/**
 * Verifies and reads a signed payload. Each kind of token has its own schema, which the caller checks.
 * @param secrets as in `TICKET_SECRET`; any of them may have signed it
 * @returns null when the signature is not valid
 */
export async function readSigned(secrets: string, token: string): Promise<unknown> {
  const [payloadText, signatureText, ...rest] = token.split('.')
  if (payloadText === undefined || signatureText === undefined || rest.length > 0) return null
  const payload = decodeBase64Url(payloadText)
  const signature = decodeBase64Url(signatureText)
  if (payload === null || signature === null) return null
  if (!(await isSigned(secrets, { payload, signature }))) return null
  return JSON.parse(new TextDecoder().decode(payload))
}

async function isSigned(secrets: string, signed: { payload: Uint8Array; signature: Uint8Array }): Promise<boolean> {
  for (const secret of listSecrets(secrets)) {
    // `verify` compares in constant time.
    if (await crypto.subtle.verify('HMAC', await importKey(secret), signed.signature, signed.payload)) return true
  }
  return false
}

function listSecrets(secrets: string): string[] {
  return secrets.split(',').filter((secret) => secret !== '')
}

function importKey(secret: string): Promise<CryptoKey> {
  const bytes = new TextEncoder().encode(secret)
  return crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign', 'verify'])
}

/** 256 random bits. */
const SECRET_BYTES = 32

/** Makes what stands in the address of a link that only its hash is kept of. */
export function makeSecret(): string {
  return encodeBase64Url(crypto.getRandomValues(new Uint8Array(SECRET_BYTES)))
}

/** Hashes such a secret: nobody guesses 256 bits, so a fast hash is enough. */
export function hashSecret(secret: string): Promise<string> {
  return hashText(secret, SECRET_BYTES)
}

/** Hashes a text by SHA-256. @returns hexadecimal digits of its first bytes */
export async function hashText(text: string, sizeBytes: number): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))
  return z.util.uint8ArrayToHex(new Uint8Array(digest, 0, sizeBytes))
}

/** Encodes bytes as base64url without padding. */
export function encodeBase64Url(bytes: Uint8Array): string {
  return z.util.uint8ArrayToBase64url(bytes)
}

/** Decodes what {@link encodeBase64Url} encodes. @returns null for anything else */
export function decodeBase64Url(text: string): Uint8Array | null {
  if (!/^[\w-]+$/.test(text)) return null
  try {
    return z.util.base64urlToUint8Array(text)
  } catch {
    return null
  }
}
