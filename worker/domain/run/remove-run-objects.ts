/** Where the sound of a module's runs lies until they have ended well. */
export function partKey(of: { moduleId: string; run: number; part: number }): string {
  return `parts/${of.moduleId}/${of.run}/${of.part}`
}

/** Removes the sound that was cut out of a module's video, of all its runs. */
export async function removeRunObjects(bucket: R2Bucket, moduleId: string): Promise<void> {
  for (let more = true; more; ) {
    const { objects, truncated } = await bucket.list({ prefix: `parts/${moduleId}/` })
    if (objects.length > 0) await bucket.delete(objects.map((object) => object.key))
    more = truncated
  }
}
