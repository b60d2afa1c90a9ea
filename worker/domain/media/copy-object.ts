/** What is copied, and where to. */
export interface ObjectCopy {
  /** Null where there is no object. */
  from: string | null
  to: string
  /** Tag without quotes; any object is copied without it. */
  etag?: string
}

/**
 * Copies an object of the bucket. Its bytes stream through, so none is too large for memory.
 * @returns the copy; null where there is no object, or one of another tag, of which no byte is read
 */
export async function copyObject(bucket: R2Bucket, { from, to, etag }: ObjectCopy): Promise<R2Object | null> {
  if (from === null) return null
  const object = await bucket.get(from, etag === undefined ? {} : { onlyIf: { etagMatches: etag } })
  if (object === null || !('body' in object)) return null
  return bucket.put(to, object.body as ReadableStream, { httpMetadata: object.httpMetadata ?? {} })
}

/** Copies an object, whatever it is by now. @returns where it lies; null where there is none */
export async function copyTo(bucket: R2Bucket, from: string | null, to: string): Promise<string | null> {
  return (await copyObject(bucket, { from, to }))?.key ?? null
}
