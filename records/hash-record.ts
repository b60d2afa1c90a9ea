import canonicalize from 'canonicalize'
import type { TrainingRecord } from '#contract/records/training-record.ts'

/** A record as it is stored and exported. */
export interface HashedRecord {
  /** Canonical JSON (RFC 8785). */
  text: string
  /** SHA-256 of the text, in hexadecimal digits. */
  hash: string
}

/** Writes a record in canonical JSON and hashes it. */
export async function hashRecord(record: TrainingRecord): Promise<HashedRecord> {
  const text = canonicalize(record)
  if (text === undefined) throw new Error('A record holds a value that is not JSON.')
  return { text, hash: await hashBytes(new TextEncoder().encode(text)) }
}

/** Hashes bytes with SHA-256. @returns hexadecimal digits */
export async function hashBytes(bytes: BufferSource): Promise<string> {
  return toHex(await crypto.subtle.digest('SHA-256', bytes))
}

/** Writes bytes in hexadecimal digits. */
export function toHex(bytes: ArrayBuffer): string {
  return Array.from(new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, '0')).join('')
}
