import type { Done } from '#contract/module.ts'
import type {
  PartArrived,
  PartUrlsRequest,
  Upload,
  UploadAnswer,
  UploadListAnswer,
  UploadPatch,
  UrlsAnswer,
} from '#contract/upload.ts'
import type { Context } from '#worker/core/context.ts'
import { AppError, faultOf } from '#worker/core/errors.ts'
import type { Db } from '#worker/db/db.ts'
import { publishModule } from '#worker/domain/live/publish.ts'
import { getOwnModule, moduleNotFound } from '#worker/domain/module/get-module.ts'
import { type ModuleRow, updateModule } from '#worker/domain/module/module-store.ts'
import { takeBytes } from '#worker/domain/quota/take-quota.ts'
import { logLine } from '#worker/log/log.ts'
import type { Caller } from '#worker/ports/identity.ts'
import { checkSize, partBytesOf, planParts, signPut } from './presign-upload.ts'
import {
  insertUploadPart,
  listOpenUploads,
  listUploadParts,
  removeUploadParts,
  type UploadPartRow,
} from './upload-store.ts'

/**
 * Creates addresses for parts of an upload, each for one PUT; the client requests new ones when they have expired.
 * @throws {AppError} not_found (also once complete or cancelled), invalid_request for a part that the file does not have
 */
export async function signParts(
  context: Context,
  caller: Caller,
  { moduleId, parts }: PartUrlsRequest & { moduleId: string },
): Promise<UrlsAnswer> {
  const { sourceKey: key, uploadId, declaredSizeBytes } = await getOpenUpload(context.db, caller, moduleId)
  for (const part of parts) checkPart(declaredSizeBytes, part)
  const sign = async (part: number) => ({
    number: part,
    url: await signPut(context.uploads, {
      key,
      sizeBytes: partBytesOf(declaredSizeBytes, part),
      part: { partNumber: part, uploadId },
    }),
  })
  return { success: true, urls: await Promise.all(parts.map(sign)) }
}

/**
 * Records that a part is in the bucket, and notifies the watchers. The module is listed from its first part on. A
 * second call for the same part changes nothing; a part that was uploaded once more replaces the old one.
 * @throws {AppError} not_found (also once complete or cancelled), invalid_request for a part or a size that does not fit
 */
export async function recordPart(
  context: Context,
  caller: Caller,
  { moduleId, part, etag, sizeBytes }: PartArrived & { moduleId: string; part: number },
): Promise<Done> {
  const { declaredSizeBytes } = await getOpenUpload(context.db, caller, moduleId)
  if (sizeBytes !== checkPart(declaredSizeBytes, part)) {
    throw new AppError('invalid_request', `sizeBytes: part ${part} has ${partBytesOf(declaredSizeBytes, part)} bytes`)
  }
  const row = { moduleId, part, etag: etag.replaceAll('"', ''), sizeBytes }
  if (!(await insertUploadPart(context.d1, row, context.nowMs()))) throw moduleNotFound()
  await publishModule(context, moduleId)
  return { success: true }
}

function checkPart(sizeBytes: number, part: number): number {
  const partBytes = partBytesOf(sizeBytes, part)
  if (partBytes > 0) return partBytes
  throw new AppError('invalid_request', `part: the file has parts 1 to ${planParts(sizeBytes).partCount}`)
}

/**
 * Plans an upload for another file than the declared one. Repeating it changes nothing.
 * @throws {AppError} not_found (also once complete or cancelled), version_conflict once a part has arrived,
 *   payload_too_large, quota_reached
 */
export async function changeUpload(
  context: Context,
  caller: Caller,
  { moduleId, sizeBytes, fingerprint }: UploadPatch & { moduleId: string },
): Promise<UploadAnswer> {
  const upload = await getOpenUpload(context.db, caller, moduleId)
  const parts = await listUploadParts(context.db, moduleId)
  if (parts.length > 0) {
    throw new AppError(
      'version_conflict',
      'A part of the file has arrived already. Please upload the other file by itself.',
    )
  }
  checkSize(sizeBytes, context.uploads.maxBytes)
  await takeBytes(context, upload, sizeBytes)
  await updateModule(context.db, moduleId, { declaredSizeBytes: sizeBytes, fingerprint: fingerprint ?? null })
  return readUpload(context.db, caller, moduleId)
}

/** How far an upload in parts is. @throws {AppError} not_found also once it is complete or cancelled */
export async function readUpload(db: Db, caller: Caller, moduleId: string): Promise<UploadAnswer> {
  const module = await getOpenUpload(db, caller, moduleId)
  return { success: true, upload: presentUpload(module, await listUploadParts(db, moduleId)) }
}

/** Lists the caller's own uploads in parts that can be resumed, newest first, and says how large a file may be. */
export async function readUploads({ db, uploads }: Context, caller: Caller): Promise<UploadListAnswer> {
  const open = await listOpenUploads(db, caller.userId)
  const { maxBytes } = uploads
  return { success: true, uploads: open.map(({ module, parts }) => presentUpload(module, parts)), maxBytes }
}

function presentUpload(module: ModuleRow, parts: UploadPartRow[]): Upload {
  const sizeBytes = module.declaredSizeBytes ?? 0
  return {
    moduleId: module.id,
    key: module.sourceKey,
    filename: module.filename,
    contentType: module.declaredType,
    sizeBytes,
    fingerprint: module.fingerprint,
    createdAt: new Date(module.createdAt).toISOString(),
    plan: planParts(sizeBytes),
    parts: parts.map(({ part, etag, sizeBytes: partBytes }) => ({ part, etag, sizeBytes: partBytes })),
  }
}

/** Missing parts that a message names; the answer's `missingParts` has all of them. */
const NAMED_PARTS = 5

/** What R2 says of parts that are not the ones it has. */
const IS_OTHER_PART = /\((10025|10011|10048)\)|specified parts could not be found/

/**
 * Makes one object of the parts that have arrived. Idempotent, also for concurrent calls.
 * @throws {AppError} upload_missing, which names the parts that are still to be sent
 */
export async function assembleParts(context: Context, upload: ModuleRow): Promise<void> {
  if (!isOpenUpload(upload)) return
  const { sourceKey: key, uploadId, declaredSizeBytes } = upload
  const parts = await listUploadParts(context.db, upload.id)
  const arrived = new Set(parts.map(({ part }) => part))
  const { partCount } = planParts(declaredSizeBytes)
  const missing = Array.from({ length: partCount }, (_, index) => index + 1).filter((part) => !arrived.has(part))
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
async function getOpenUpload(db: Db, caller: Caller, moduleId: string): Promise<OpenUpload> {
  const module = await getOwnModule(db, caller, moduleId)
  if (!isOpenUpload(module)) throw moduleNotFound()
  return module
}
