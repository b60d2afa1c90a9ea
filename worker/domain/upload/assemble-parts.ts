import type { Db } from '#worker/db/db.ts'
import { updateModule } from '#worker/domain/module/module-store.ts'
import { AppError } from '#worker/errors.ts'
import { isUploadOver } from './abort-parts.ts'
import type { OpenUpload } from './open-upload.ts'
import { planParts } from './part-plan.ts'
import { listUploadParts, removeUploadParts } from './upload-store.ts'

/** Missing parts that a message names; the answer's `missingParts` has all of them. */
const NAMED_PARTS = 5

/** What R2 says of parts that are not the ones it has. */
const IS_OTHER_PART = /\((10025|10011|10048)\)|specified parts could not be found/

/**
 * Makes one object of the parts that have arrived. Idempotent, also for concurrent calls.
 * @throws {AppError} upload_missing, which names the parts that are still to be sent
 */
export async function assembleParts(deps: { db: Db; bucket: R2Bucket }, upload: OpenUpload): Promise<void> {
  const { sourceKey: key, uploadId, declaredSizeBytes } = upload
  const parts = await listUploadParts(deps.db, upload.id)
  const arrived = new Set(parts.map(({ part }) => part))
  const { partCount } = planParts(declaredSizeBytes)
  const missing = Array.from({ length: partCount }, (_, at) => at + 1).filter((part) => !arrived.has(part))
  if (missing.length > 0) throw partsMissing(missing, partCount)
  try {
    const whole = parts.map(({ part, etag }) => ({ partNumber: part, etag }))
    await deps.bucket.resumeMultipartUpload(key, uploadId).complete(whole)
  } catch (error) {
    await settleRefusal({ ...deps, upload, error })
  }
}

function partsMissing(missing: number[], partCount: number): AppError {
  const named = missing.slice(0, NAMED_PARTS).join(', ') + (missing.length > NAMED_PARTS ? ' …' : '')
  return new AppError(
    'upload_missing',
    `${missing.length} of ${partCount} parts of the video have not arrived yet (${named}). Please go on with the upload.`,
    { extensions: { missingParts: missing } },
  )
}

async function settleRefusal(at: { db: Db; bucket: R2Bucket; upload: OpenUpload; error: unknown }): Promise<void> {
  const { db, bucket, upload, error } = at
  // An earlier call completed the upload, and its answer got lost.
  if ((await bucket.head(upload.sourceKey)) !== null) return
  const said = String(error)
  if (isUploadOver(error)) {
    throw new AppError('upload_missing', 'This upload is not kept any more. Please upload the video again.')
  }
  if (!IS_OTHER_PART.test(said)) throw error
  // R2 does not report which part is wrong.
  await removeUploadParts(db, upload.id)
  await updateModule(db, upload.id, { uploadedBytes: 0 })
  throw new AppError('upload_missing', 'The parts that arrived do not fit together. Please upload the video again.')
}
