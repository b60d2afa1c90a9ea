import { nameForeignContainer } from '#media/foreign-container.ts'
import { SNIFF_BYTES, sniffContainer } from '#media/sniff-container.ts'
import type { Context } from '#worker/core/context.ts'
import { AppError } from '#worker/core/errors.ts'
import { type ModuleRow } from '#worker/domain/module/module-store.ts'
import { checkSize } from './presign-upload.ts'
import { type ReceivedSource } from './upload-store.ts'

/**
 * Looks at the object that lies at a module's address.
 * @throws {AppError} upload_missing, source_changed, file_empty, payload_too_large, not_a_video
 */
export async function inspectSource(context: Context, module: ModuleRow): Promise<ReceivedSource> {
  const object = await context.bucket.head(module.sourceKey)
  if (object === null) {
    throw new AppError('upload_missing', 'The video has not arrived yet. Please upload it again.')
  }
  checkSize(object.size, context.uploads.maxBytes)
  checkIsWhole(object.size, module.declaredSizeBytes)
  return { etag: object.etag, sizeBytes: object.size, type: await sniffSource(context.bucket, object) }
}

function checkIsWhole(sizeBytes: number, declaredSizeBytes: number | null): void {
  if (declaredSizeBytes === null || declaredSizeBytes === sizeBytes) return
  throw new AppError(
    'upload_missing',
    `${sizeBytes} bytes of the video have arrived instead of ${declaredSizeBytes}. Please upload it again.`,
  )
}

async function sniffSource(bucket: R2Bucket, object: R2Object): Promise<string> {
  const range = { offset: 0, length: Math.min(SNIFF_BYTES, object.size) }
  const first = await bucket.get(object.key, { range, onlyIf: { etagMatches: object.etag } })
  if (first === null || !('body' in first)) {
    throw new AppError('source_changed', 'The file was replaced while it was being checked. Please try again.')
  }
  const bytes = new Uint8Array(await first.arrayBuffer())
  const type = sniffContainer(bytes)
  if (type !== null) return type
  const name = nameForeignContainer(bytes)
  throw new AppError(
    'not_a_video',
    name === null
      ? 'This file is not a video that we can read. Please upload an MP4, MOV or WebM file.'
      : `This file is in the format ${name}, which Adapt cannot read. Please export it as MP4 with H.264 and upload that.`,
  )
}
