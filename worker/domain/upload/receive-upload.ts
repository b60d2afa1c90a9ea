import type { CompleteAnswer, CompleteRequest } from '#contract/upload.ts'
import { nameForeignContainer } from '#media/foreign-container.ts'
import { SNIFF_BYTES, sniffContainer } from '#media/read-facts.ts'
import type { Context } from '#worker/context.ts'
import type { Db } from '#worker/db/db.ts'
import { publishModule } from '#worker/domain/live/publish.ts'
import { findSource, isSourceKnown, SETTLED_AFTER_MS } from '#worker/domain/module/deleted-store.ts'
import { getOwnModule, moduleNotFound } from '#worker/domain/module/get-module.ts'
import { findModule, findModuleOfSource, type ModuleRow, updateModule } from '#worker/domain/module/module-store.ts'
import { refundDue, refundReserved, refundUpload } from '#worker/domain/quota/quota-store.ts'
import { takeBytes, takeModule } from '#worker/domain/quota/take-quota.ts'
import { ring } from '#worker/domain/run/current-run.ts'
import { admitRuns, startRun } from '#worker/domain/run/start-run.ts'
import { AppError, type AppErrorCode, faultOf } from '#worker/errors.ts'
import { logLine } from '#worker/log/log.ts'
import type { Caller } from '#worker/ports/identity.ts'
import { checkSize, planParts } from './presign-upload.ts'
import { listUploadParts, type ReceivedSource, receiveSource, refuseSource, removeUploadParts } from './upload-store.ts'

/**
 * Checks the object that was uploaded, pins the module to its very bytes and starts the first run. Idempotent: a
 * repetition, also at the same moment, answers the same and starts nothing.
 * @throws {AppError} not_found (also for another owner's module or a wrong key), upload_missing,
 *   source_changed, file_empty, payload_too_large, not_a_video, quota_reached
 */
export async function completeUpload(
  context: Context,
  caller: Caller,
  request: CompleteRequest,
): Promise<CompleteAnswer> {
  const module = await getOwnModule(context.db, caller, request.moduleId)
  if (module.sourceKey !== request.key) throw moduleNotFound()
  try {
    await receiveUpload(context, module)
  } catch (error) {
    // A refused file is worth nothing to anybody; the row goes with the sweep.
    if (isRefusal(error)) await context.bucket.delete(module.sourceKey)
    throw error
  }
  return { success: true, moduleId: module.id, trainingUrl: `/training/${module.id}` }
}

/** What an upload that was not received is taken for, by the error; after other failures it may be received yet. */
const NOT_RECEIVED: Partial<Record<AppErrorCode, 'absent' | 'refused' | 'unknown'>> = {
  // Retried later, when the object may have arrived or the day's quota allow it.
  upload_missing: 'absent',
  quota_reached: 'absent',
  file_empty: 'refused',
  payload_too_large: 'refused',
  not_a_video: 'refused',
  // Cancelled at this very moment.
  not_found: 'unknown',
}

/** Whether an upload is no video that we take. */
function isRefusal(error: unknown): error is AppError {
  return error instanceof AppError && NOT_RECEIVED[error.code] === 'refused'
}

/**
 * Starts what `complete` would have started, when its call never came: the tab was closed, or the answer got lost.
 * Notifications may come any number of times, late, and for any object.
 * @param key of the object in the bucket
 * @returns `received`, also when it was before; `absent` while there is no object, or its owner's quota of the day is
 *   used up; `refused` for an unsupported video; `unknown` for an object that belongs to no module
 */
export async function noticeUpload(context: Context, key: string) {
  const module = await findModuleOfSource(context.db, key)
  if (module === null) {
    logLine('warn', 'upload_unknown', { key })
    // Sent to an address that was given out before its module was erased: nothing else would ever remove it.
    if (!(await isSourceKnown(context.db, key))) await context.bucket.delete(key)
    return 'unknown'
  }
  try {
    await receiveUpload(context, module)
    return 'received'
  } catch (error) {
    const result = error instanceof AppError ? NOT_RECEIVED[error.code] : undefined
    if (result === undefined) throw error
    // The file stays, so that a call of `complete` can still return the reason.
    if (isRefusal(error)) logLine('warn', 'upload_refused', { moduleId: module.id, code: error.code })
    return result
  }
}

/**
 * Checks the object that was uploaded, pins its module to its very bytes and starts the first run. Every notification of an
 * upload may call it, any number of times and at the same moment: one run begins. Parts are put together first.
 * @throws {AppError} upload_missing, source_changed, file_empty, payload_too_large, not_a_video, quota_reached; not_found
 *   when the upload was cancelled meanwhile
 */
async function receiveUpload(context: Context, module: ModuleRow): Promise<void> {
  if (module.sourceEtag === null) {
    if (isOpenUpload(module)) await assembleParts(context, module)
    await receiveSource(context.db, module.id, await takeSource(context, module), context.nowMs())
    await removeUploadParts(context.db, module.id)
  }
  await goOn(context, module.id)
}

/** Separate from receiving, so that the next call completes it after a crash between the two. */
async function goOn(context: Context, moduleId: string): Promise<void> {
  const module = await findModule(context.db, moduleId)
  if (module === null) throw moduleNotFound()
  if (module.run === 0 && (await startRun(context, module, { trigger: 'upload' })) !== null) return
  // The run that its video was awaited for: one that the server is to cut has its turn now.
  await admitRuns(context, module.userId)
  await ring(context, 'ingest')
  await publishModule(context, moduleId)
}

async function takeSource(context: Context, module: ModuleRow): Promise<ReceivedSource> {
  const settledAtMs = context.nowMs() + SETTLED_AFTER_MS
  try {
    const source = await inspectSource(context, module)
    // Refunded when the address held something else before.
    await takeModule(context, module)
    await takeBytes(context, module, source.sizeBytes)
    if (module.declaredSizeBytes === null) {
      // Its address still takes a file as large as was reserved for it.
      const refund = { reserved: context.uploads.maxBytes, arrived: source.sizeBytes, atMs: settledAtMs }
      await refundReserved(context.d1, module.id, refund)
    }
    return source
  } catch (error) {
    if (!isRefusal(error)) throw error
    await refundUpload(context.d1, module.id, settledAtMs)
    if (await refuseSource(context.db, module.id, error.message, context.nowMs())) {
      await publishModule(context, module.id)
      await admitRuns(context, module.userId)
    }
    throw error
  }
}

async function inspectSource(context: Context, module: ModuleRow): Promise<ReceivedSource> {
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

/** Missing parts that a message names; the answer's `missingParts` has all of them. */
const NAMED_PARTS = 5

/** What R2 says of parts that are not the ones it has. */
const IS_OTHER_PART = /\((10025|10011|10048)\)|specified parts could not be found/

/**
 * Makes one object of the parts that have arrived. Idempotent, also for concurrent calls.
 * @throws {AppError} upload_missing, which names the parts that are still to be sent
 */
async function assembleParts(context: Context, upload: OpenUpload): Promise<void> {
  const { sourceKey: key, uploadId, declaredSizeBytes } = upload
  const parts = await listUploadParts(context.db, upload.id)
  const arrived = new Set(parts.map(({ part }) => part))
  const { partCount } = planParts(declaredSizeBytes)
  const missing = Array.from({ length: partCount }, (_, at) => at + 1).filter((part) => !arrived.has(part))
  if (missing.length > 0) throw partsMissing(missing, partCount)
  try {
    const whole = parts.map(({ part, etag }) => ({ partNumber: part, etag }))
    await context.bucket.resumeMultipartUpload(key, uploadId).complete(whole)
  } catch (error) {
    await settleRefusal(context, upload, error)
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

async function settleRefusal({ db, bucket }: Context, upload: OpenUpload, error: unknown): Promise<void> {
  // An earlier call completed the upload, and its answer got lost.
  if ((await bucket.head(upload.sourceKey)) !== null) return
  if (isUploadOver(error)) {
    throw new AppError('upload_missing', 'This upload is not kept any more. Please upload the video again.')
  }
  if (!IS_OTHER_PART.test(String(error))) throw error
  // R2 does not report which part is wrong.
  await removeUploadParts(db, upload.id)
  await updateModule(db, upload.id, { uploadedBytes: 0 })
  throw new AppError('upload_missing', 'The parts that arrived do not fit together. Please upload the video again.')
}

const IS_OVER = /\(10024\)|does not exist/

/** Returns true when R2 no longer knows an upload: it was completed or aborted before. */
function isUploadOver(error: unknown): boolean {
  return IS_OVER.test(String(error))
}

/**
 * Aborts an upload in parts and discards the parts that have arrived; one that is over already stays as it is.
 * @returns false when the bucket did not do it, so that a retry is needed: the parts are stored, and billed
 */
export async function abortParts(
  bucket: R2Bucket,
  module: Pick<ModuleRow, 'id' | 'sourceKey' | 'uploadId'>,
): Promise<boolean> {
  if (module.uploadId === null) return true
  try {
    await bucket.resumeMultipartUpload(module.sourceKey, module.uploadId).abort()
    return true
  } catch (error) {
    if (isUploadOver(error)) return true
    logLine('warn', 'abort_failed', { moduleId: module.id, ...faultOf(error) })
    return false
  }
}

/** A module whose video is being sent in parts. */
interface OpenUpload extends ModuleRow {
  uploadId: string
  declaredSizeBytes: number
}

/** True when an upload in parts can be resumed. */
function isOpenUpload(module: ModuleRow): module is OpenUpload {
  return module.uploadId !== null && module.declaredSizeBytes !== null && module.sourceEtag === null
}

/** @throws {AppError} not_found for another owner's, a cancelled and a completed upload alike */
export async function getOpenUpload(db: Db, caller: Caller, moduleId: string): Promise<OpenUpload> {
  const module = await getOwnModule(db, caller, moduleId)
  if (!isOpenUpload(module)) throw moduleNotFound()
  return module
}

/**
 * Refunds what is due of an upload, after its addresses have expired, and removes what was sent to them for nothing: a
 * file that was refused, or one that took the place of the video that was received.
 */
export async function settleRefund(
  { db, d1, bucket, nowMs }: Pick<Context, 'db' | 'd1' | 'bucket' | 'nowMs'>,
  { moduleId }: { moduleId: string },
): Promise<void> {
  const source = await findSource(db, moduleId)
  if (source !== null) {
    const stored = await bucket.head(source.sourceKey)
    if (stored !== null && stored.etag !== source.sourceEtag) await bucket.delete(source.sourceKey)
  }
  await refundDue(d1, moduleId, nowMs())
}
