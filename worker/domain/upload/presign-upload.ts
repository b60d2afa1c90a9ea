import { nanoid } from 'nanoid'
import type { PresignAnswer, PresignRequest } from '#contract/upload.ts'
import type { Db } from '#worker/db/db.ts'
import { insertModule } from '#worker/domain/module/module-store.ts'
import { giveBack } from '#worker/domain/quota/quota-store.ts'
import {
  type CountedModule,
  type QuotaDeps,
  takeBytes,
  takeMinutes,
  takeModule,
} from '#worker/domain/quota/take-quota.ts'
import { AppError } from '#worker/errors.ts'
import { noteTrace } from '#worker/log/trace.ts'
import type { Caller } from '#worker/ports/identity.ts'
import { planParts } from './part-plan.ts'
import { signPut } from './sign-put.ts'
import { titleFromFilename } from './title-from-filename.ts'
import { tooLarge, type UploadConfig } from './upload-config.ts'

/** 22 characters of nanoid's alphabet of 64: 132 random bits. The id is what a share link rests on. */
const MODULE_ID_CHARS = 22

/** What presigning can reach. */
export interface PresignDeps extends Omit<QuotaDeps, 'nowMs'> {
  db: Db
  bucket: R2Bucket
  config: UploadConfig
  nowMs: number
}

/**
 * Reserves a module and hands out one URL for one PUT of its video; where parts are asked for, an upload in parts is
 * begun in the bucket beside it. Nothing is listed until its bytes have arrived.
 * @throws {AppError} unsupported_media_type, file_empty, payload_too_large, invalid_request (parts of an unknown size),
 *   quota_reached
 */
export async function presignUpload(
  deps: PresignDeps,
  caller: Caller,
  request: PresignRequest,
): Promise<PresignAnswer> {
  checkDeclared(request, deps.config.maxBytes)
  const moduleId = nanoid(MODULE_ID_CHARS)
  noteTrace({ moduleId })
  try {
    await takeQuota(deps, { id: moduleId, userId: caller.userId, orgId: caller.orgId }, request)
    return await reserve(deps, { caller, moduleId, request })
  } catch (error) {
    await giveBack(deps.d1, moduleId)
    throw error
  }
}

async function takeQuota(deps: PresignDeps, module: CountedModule, request: PresignRequest): Promise<void> {
  const { durationMs, sizeBytes } = request
  const counting = { ...deps, nowMs: () => deps.nowMs }
  await takeModule(counting, module)
  // Of an unknown size everything that is allowed may come, until it has come.
  await takeBytes(counting, module, sizeBytes ?? deps.config.maxBytes)
  // Where the browser does not know the duration, the minutes are counted when the video has been read.
  if (durationMs) await takeMinutes(counting, module, durationMs)
}

async function reserve(
  deps: PresignDeps,
  { caller, moduleId, request }: { caller: Caller; moduleId: string; request: PresignRequest },
): Promise<PresignAnswer> {
  const { filename, contentType, sizeBytes } = request
  const key = `src/${moduleId}/${nanoid(MODULE_ID_CHARS)}`
  // Before the row: if inserting it fails, the bucket aborts the upload by itself after a week.
  const uploadId = request.multipart ? await beginParts(deps.bucket, key, contentType) : null
  await insertModule(deps.db, {
    id: moduleId,
    userId: caller.userId,
    orgId: caller.orgId,
    title: titleFromFilename(filename),
    filename,
    status: 'PROCESSING',
    message: 'Waiting for the upload',
    sourceKey: key,
    declaredType: contentType,
    declaredSizeBytes: sizeBytes ?? null,
    declaredDurationMs: request.durationMs ?? null,
    fingerprint: request.fingerprint ?? null,
    uploadId,
    createdAt: deps.nowMs,
    updatedAt: deps.nowMs,
  })
  const uploadUrl = await signPut(deps.config, { key, contentType, ...(sizeBytes === undefined ? {} : { sizeBytes }) })
  const inParts = uploadId === null || sizeBytes === undefined ? {} : { multipart: planParts(sizeBytes) }
  return { success: true, uploadUrl, key, moduleId, ...inParts }
}

async function beginParts(bucket: R2Bucket, key: string, contentType: string): Promise<string> {
  return (await bucket.createMultipartUpload(key, { httpMetadata: { contentType } })).uploadId
}

/** With parameters too: recordings of a browser say `video/webm;codecs=vp9,opus`. */
const VIDEO_TYPE = /^video\/[\w.+-]+(?: *;[ -~]*[!-~])?$/i

function checkDeclared(request: PresignRequest, maxBytes: number): void {
  if (!VIDEO_TYPE.test(request.contentType)) {
    throw new AppError('unsupported_media_type', 'Only video files are allowed')
  }
  if (request.sizeBytes === 0) throw new AppError('file_empty', 'This file is empty. Please pick another one.')
  if ((request.sizeBytes ?? 0) > maxBytes) throw new AppError('payload_too_large', tooLarge(maxBytes))
  if (request.multipart && request.sizeBytes === undefined) {
    throw new AppError('invalid_request', 'sizeBytes: required for an upload in parts')
  }
}
