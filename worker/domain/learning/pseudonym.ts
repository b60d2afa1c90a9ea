/** Names a learner for one module: the same each time, of no use to find the account or the learner elsewhere. */
export type Pseudonymise = (...what: string[]) => Promise<string>

/** This many of a pseudonym's 32 bytes are shown, so that a million pseudonyms do not collide. */
const BYTES = 16

/** @param secret known to this server alone, so that an id cannot be found by hashing every id */
export async function openPseudonyms(secret: string, moduleId: string): Promise<Pseudonymise> {
  const encoder = new TextEncoder()
  const algorithm = { name: 'HMAC', hash: 'SHA-256' }
  const key = await crypto.subtle.importKey('raw', encoder.encode(`learner:${secret}`), algorithm, false, ['sign'])
  return async (...what) => {
    const signed = await crypto.subtle.sign('HMAC', key, encoder.encode(JSON.stringify([moduleId, ...what])))
    return Array.from(new Uint8Array(signed).subarray(0, BYTES), (byte) => byte.toString(16).padStart(2, '0')).join('')
  }
}

/** The same as an UUID of RFC 9562's version 8, as ids of statements have to be. */
export function toUuid(pseudonym: string): string {
  const version = `8${pseudonym.slice(13, 16)}`
  const variant = `8${pseudonym.slice(17, 20)}`
  return [pseudonym.slice(0, 8), pseudonym.slice(8, 12), version, variant, pseudonym.slice(20, 32)].join('-')
}
