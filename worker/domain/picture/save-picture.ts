import type { Done } from '#contract/module.ts'
import { PICTURES_MAX, type PictureName } from '#contract/picture.ts'
import type { Db } from '#worker/db/db.ts'
import { type ModuleRow, updateModule } from '#worker/domain/module/module-store.ts'
import { AppError } from '#worker/errors.ts'
import { isFull, pictureKey } from './picture-store.ts'
import { sniffPicture } from './sniff-picture.ts'

/**
 * Keeps a picture of a module, in place of the one of that name.
 * @param module of the caller
 * @throws {AppError} unsupported_media_type, payload_too_large when there are too many
 */
export async function savePicture(
  { db, bucket }: { db: Db; bucket: R2Bucket },
  module: ModuleRow,
  { name, bytes }: { name: PictureName; bytes: Uint8Array },
): Promise<Done> {
  const contentType = sniffPicture(bytes)
  if (contentType === null) throw new AppError('unsupported_media_type', 'Send pictures as WebP or JPEG.')
  if (await isFull(bucket, module.id, name)) {
    throw new AppError('payload_too_large', `A module may have ${PICTURES_MAX} pictures.`)
  }
  await bucket.put(pictureKey(module.id, name), bytes, { httpMetadata: { contentType } })
  if (name === 'poster' && !module.hasPoster) await updateModule(db, module.id, { hasPoster: true })
  return { success: true }
}
