/**
 * Removes the objects of a bucket that lie below a prefix.
 * @param isGone decides by the rest of the key; left out, all go
 */
export async function removeObjects(
  bucket: R2Bucket,
  prefix: string,
  isGone: (name: string) => boolean = () => true,
): Promise<void> {
  for (let cursor: string | undefined, hasMore = true; hasMore; ) {
    const listed = await bucket.list({ prefix, ...(cursor === undefined ? {} : { cursor }) })
    const keys = listed.objects.map(({ key }) => key).filter((key) => isGone(key.slice(prefix.length)))
    if (keys.length > 0) await bucket.delete(keys)
    hasMore = listed.truncated
    cursor = listed.truncated ? listed.cursor : undefined
  }
}
