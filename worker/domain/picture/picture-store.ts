import { PICTURES_MAX, type PictureName } from '#contract/picture.ts'

function prefixOf(moduleId: string): string {
  return `pictures/${moduleId}/`
}

/** Where a picture of a module lies. */
export function pictureKey(moduleId: string, name: PictureName): string {
  return `${prefixOf(moduleId)}${name}`
}

/** Whether a module has all the pictures that it may have; those that it has can be replaced. */
export async function isFull(bucket: R2Bucket, moduleId: string, name: PictureName): Promise<boolean> {
  const { objects } = await bucket.list({ prefix: prefixOf(moduleId), limit: PICTURES_MAX })
  return objects.length >= PICTURES_MAX && !objects.some(({ key }) => key === pictureKey(moduleId, name))
}

/** Removes all pictures of a module. */
export async function removePictures(bucket: R2Bucket, moduleId: string): Promise<void> {
  for (;;) {
    const { objects, truncated } = await bucket.list({ prefix: prefixOf(moduleId) })
    if (objects.length > 0) await bucket.delete(objects.map(({ key }) => key))
    if (!truncated) return
  }
}
