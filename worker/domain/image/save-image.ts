import { IMAGES_MAX, type ImageName } from '#contract/image.ts'
import type { Done } from '#contract/module.ts'
import type { Db } from '#worker/db/db.ts'
import { type ModuleRow, updateModule } from '#worker/domain/module/module-store.ts'
import { AppError } from '#worker/errors.ts'
import { imageKey, isFull } from './image-store.ts'
import { sniffImage } from './sniff-image.ts'

/**
 * Keeps a image of a module, in place of the one of that name.
 * @param module of the caller
 * @throws {AppError} unsupported_media_type, payload_too_large when there are too many
 */
export async function saveImage(
  { db, bucket }: { db: Db; bucket: R2Bucket },
  module: ModuleRow,
  { name, bytes }: { name: ImageName; bytes: Uint8Array },
): Promise<Done> {
  const contentType = sniffImage(bytes)
  if (contentType === null) throw new AppError('unsupported_media_type', 'Send images as WebP or JPEG.')
  if (await isFull(bucket, module.id, name)) {
    throw new AppError('payload_too_large', `A module may have ${IMAGES_MAX} images.`)
  }
  await bucket.put(imageKey(module.id, name), bytes, { httpMetadata: { contentType } })
  if (name === 'poster' && !module.hasPoster) await updateModule(db, module.id, { hasPoster: true })
  return { success: true }
}
