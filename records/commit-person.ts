import canonicalize from 'canonicalize'
import { toHex } from './hash-record.ts'

/** What a person is called in an organization. */
export interface PersonName {
  name: string
  /** Of the organization's own list; null without one. */
  number: string | null
}

/**
 * Commits to a name: whoever is given name and salt can check that a record means this person, and without the salt
 * nobody finds the name by trying all that there are.
 * @param salt at least 16 random bytes in hexadecimal digits, of this person alone
 * @returns HMAC-SHA-256 in hexadecimal digits
 */
export async function commitPerson({ name, number }: PersonName, salt: string): Promise<string> {
  const encoder = new TextEncoder()
  const algorithm = { name: 'HMAC', hash: 'SHA-256' }
  const key = await crypto.subtle.importKey('raw', encoder.encode(salt), algorithm, false, ['sign'])
  return toHex(await crypto.subtle.sign('HMAC', key, encoder.encode(canonicalize({ name, number }))))
}
