/** Where the audio of a module's runs lies until they have ended well. */
export function chunkKey(of: { moduleId: string; run: number; chunk: number }): string {
  return `chunks/${of.moduleId}/${of.run}/${of.chunk}`
}

/**
 * Removes the audio that was cut out of a module's video, of all its runs.
 * @param lastRun leaves alone what later runs have cut: one may begin as soon as this one has ended
 */
export async function removeRunObjects(
  bucket: R2Bucket,
  moduleId: string,
  lastRun = Number.POSITIVE_INFINITY,
): Promise<void> {
  const prefix = `chunks/${moduleId}/`
  for (let cursor: string | undefined, more = true; more; ) {
    const listed = await bucket.list({ prefix, ...(cursor === undefined ? {} : { cursor }) })
    const keys = listed.objects.map((object) => object.key)
    const old = keys.filter((key) => Number.parseInt(key.slice(prefix.length), 10) <= lastRun)
    if (old.length > 0) await bucket.delete(old)
    more = listed.truncated
    cursor = listed.truncated ? listed.cursor : undefined
  }
}
