import { IMAGES_MAX, type ImageName } from '#contract/image.ts'

function prefixOf(moduleId: string): string {
  return `images/${moduleId}/`
}

/** Where a image of a module lies. */
export function imageKey(moduleId: string, name: ImageName): string {
  return `${prefixOf(moduleId)}${name}`
}

/** Whether a module has all the images that it may have; those that it has can be replaced. */
export async function isFull(bucket: R2Bucket, moduleId: string, name: ImageName): Promise<boolean> {
  const { objects } = await bucket.list({ prefix: prefixOf(moduleId), limit: IMAGES_MAX })
  return objects.length >= IMAGES_MAX && !objects.some(({ key }) => key === imageKey(moduleId, name))
}

/** Removes all images of a module. */
export async function removeImages(bucket: R2Bucket, moduleId: string): Promise<void> {
  for (;;) {
    const { objects, truncated } = await bucket.list({ prefix: prefixOf(moduleId) })
    if (objects.length > 0) await bucket.delete(objects.map(({ key }) => key))
    if (!truncated) return
  }
}
