import canonicalize from 'canonicalize'
import type { z } from 'zod'
import { AppError } from '#worker/core/errors.ts'
import { hashText } from '#worker/domain/signed-payload.ts'
import { logLine } from '#worker/log/log.ts'

/** Where the versions of a module lie, each object under its hash. An object never changes. */
export function versionsOf(moduleId: string): string {
  return `versions/${moduleId}/`
}

const HASH_BYTES = 32

/** Texts to store, by their hashes. */
export type HashedTexts = Map<string, string>

/** Adds a value in canonical JSON (RFC 8785). @returns the hash that names it */
export async function addObject(texts: HashedTexts, value: unknown): Promise<string> {
  const text = canonicalize(value)
  if (text === undefined) throw new Error('A version holds a value that is not JSON.')
  const hash = await hashText(text, HASH_BYTES)
  texts.set(hash, text)
  return hash
}

/** Finds which of some objects the bucket does not have yet. */
export async function findMissing(bucket: R2Bucket, moduleId: string, texts: HashedTexts): Promise<HashedTexts> {
  const listed = await Promise.all(
    [...texts].map(async ([hash, text]) => {
      const stored = await bucket.head(`${versionsOf(moduleId)}${hash}`)
      return stored === null ? [[hash, text] as const] : []
    }),
  )
  return new Map(listed.flat())
}

/** Stores objects. Doing it twice stores the same. */
export async function putObjects(bucket: R2Bucket, moduleId: string, texts: HashedTexts): Promise<void> {
  const put = ([hash, text]: [string, string]) => bucket.put(`${versionsOf(moduleId)}${hash}`, text)
  await Promise.all([...texts].map(put))
}

/** Reads an object of a version. @throws {AppError} unavailable where the bucket does not have it */
export async function readObject<Schema extends z.ZodType>(
  bucket: R2Bucket,
  { moduleId, hash }: { moduleId: string; hash: string },
  schema: Schema,
): Promise<z.infer<Schema>> {
  const key = `${versionsOf(moduleId)}${hash}`
  const object = await bucket.get(key)
  if (object !== null) return schema.parse(await object.json())
  logLine('error', 'version_missing', { moduleId, key })
  throw new AppError('unavailable', 'This version cannot be read right now. Please try again later.')
}
