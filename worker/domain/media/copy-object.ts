/**
 * Copies an object of the bucket. Its bytes stream through, so none is too large for memory.
 * @returns the copy; null where there is no object
 */
export async function copyObject(bucket: R2Bucket, from: string | null, to: string): Promise<R2Object | null> {
  const object = from === null ? null : await bucket.get(from)
  if (object === null) return null
  return bucket.put(to, object.body, { httpMetadata: object.httpMetadata ?? {} })
}
