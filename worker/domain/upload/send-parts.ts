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
import type { Context } from '#worker/context.ts'
import type { Db } from '#worker/db/db.ts'
import { publishModule } from '#worker/domain/live/publish.ts'
import { moduleNotFound } from '#worker/domain/module/get-module.ts'
import { type ModuleRow, updateModule } from '#worker/domain/module/module-store.ts'
import { takeBytes } from '#worker/domain/quota/take-quota.ts'
import { AppError } from '#worker/errors.ts'
import type { Caller } from '#worker/ports/identity.ts'
import { checkSize, partBytesOf, planParts, signPut } from './presign-upload.ts'
import { getOpenUpload } from './receive-upload.ts'
import { insertUploadPart, listOpenUploads, listUploadParts, type UploadPartRow } from './upload-store.ts'

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

/** Lists the caller's own uploads in parts that can be resumed, newest first. */
export async function readUploads(db: Db, caller: Caller): Promise<UploadListAnswer> {
  const open = await listOpenUploads(db, caller.userId)
  return { success: true, uploads: open.map(({ module, parts }) => presentUpload(module, parts)) }
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
