import { AwsClient } from 'aws4fetch'
import { nanoid } from 'nanoid'
import { MODULE_TITLE_MAX_CHARS, PRESIGNED_URL_TTL_S, UPLOAD_PART_BYTES } from '#contract/limits.ts'
import type { PartPlan, PresignAnswer, PresignRequest } from '#contract/upload.ts'
import type { Context, UploadConfig } from '#worker/core/context.ts'
import { AppError } from '#worker/core/errors.ts'
import { getOwnModule, moduleNotFound } from '#worker/domain/module/get-module.ts'
import { makeModuleId } from '#worker/domain/module/module-id.ts'
import { insertModule } from '#worker/domain/module/module-store.ts'
import { removeUses } from '#worker/domain/quota/quota-store.ts'
import { type CountedModule, takeBytes, takeMinutes, takeModule } from '#worker/domain/quota/take-quota.ts'
import { noteTrace } from '#worker/log/log.ts'
import type { Caller } from '#worker/ports/identity.ts'

/**
 * Reserves a module and hands out one URL for one PUT of its video; where parts are asked for, an upload in parts is
 * begun in the bucket instead. Nothing is listed until its bytes have arrived.
 * @throws {AppError} unsupported_media_type, file_empty, payload_too_large, invalid_request (parts of an unknown size),
 *   quota_reached; not_found for a recording of a module that is not the caller's
 */
export async function presignUpload(context: Context, caller: Caller, request: PresignRequest): Promise<PresignAnswer> {
  checkDeclared(request, context.uploads.maxBytes)
  if (request.replaces !== undefined) {
    const replaced = await getOwnModule(context.db, caller, request.replaces)
    // Its bytes become those of the other, so they have the same owner.
    if (replaced.orgId !== caller.orgId) throw moduleNotFound()
  }
  const moduleId = makeModuleId()
  noteTrace({ moduleId })
  try {
    await takeQuota(context, { id: moduleId, userId: caller.userId, orgId: caller.orgId }, request)
    return await reserve(context, { caller, moduleId, request })
  } catch (error) {
    await removeUses(context.d1, moduleId)
    throw error
  }
}

async function takeQuota(context: Context, module: CountedModule, request: PresignRequest): Promise<void> {
  const { durationMs, sizeBytes } = request
  await takeModule(context, module)
  // Of an unknown size everything that is allowed may come, until it has come.
  await takeBytes(context, module, sizeBytes ?? context.uploads.maxBytes)
  // Where the browser does not know the duration, the minutes are counted when the video has been read.
  if (durationMs) await takeMinutes(context, module, durationMs)
}

async function reserve(
  context: Context,
  { caller, moduleId, request }: { caller: Caller; moduleId: string; request: PresignRequest },
): Promise<PresignAnswer> {
  const { filename, contentType, sizeBytes } = request
  const nowMs = context.nowMs()
  const key = `src/${moduleId}/${nanoid(22)}`
  // Before the row: if inserting it fails, the bucket aborts the upload by itself after a week.
  const inParts = request.multipart
    ? await context.bucket.createMultipartUpload(key, { httpMetadata: { contentType } })
    : null
  await insertModule(context.db, {
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
    shared: request.replaces === undefined && (request.shared ?? true),
    replacesId: request.replaces ?? null,
    uploadId: inParts?.uploadId ?? null,
    createdAt: nowMs,
    updatedAt: nowMs,
  })
  // A second address for the same bytes would take them twice.
  const uploadUrl = inParts === null ? await signPut(context.uploads, { key, contentType, sizeBytes }) : ''
  const multipart = request.multipart && sizeBytes !== undefined ? planParts(sizeBytes) : undefined
  return { success: true, uploadUrl, key, moduleId, multipart }
}

/** With parameters too: recordings of a browser say `video/webm;codecs=vp9,opus`. */
const VIDEO_TYPE = /^video\/[\w.+-]+(?: *;[ -~]*[!-~])?$/i

function checkDeclared(request: PresignRequest, maxBytes: number): void {
  if (!VIDEO_TYPE.test(request.contentType)) {
    throw new AppError('unsupported_media_type', 'Only video files are allowed')
  }
  if (request.sizeBytes !== undefined) checkSize(request.sizeBytes, maxBytes)
  if (request.multipart && request.sizeBytes === undefined) {
    throw new AppError('invalid_request', 'sizeBytes: required for an upload in parts')
  }
}

/** What may be put where. */
export interface SignedPut {
  key: string
  /** The PUT has to repeat it to the letter; any type will do when it is left out. */
  contentType?: string
  /** The PUT has to have exactly so many bytes; any number will do when it is left out. */
  sizeBytes?: number
  /** A part of an upload in parts, by S3's own names. */
  part?: { partNumber: number; uploadId: string }
}

/**
 * An address that takes PUTs of one object, or of one part, for a quarter of an hour. Signs host, type and length;
 * browsers send the length by themselves, so a file of another length does not match the signature.
 */
export async function signPut(config: UploadConfig, { key, contentType, sizeBytes, part }: SignedPut): Promise<string> {
  const client = new AwsClient({ ...config, service: 's3', region: 'auto' })
  const url = new URL(`${config.endpoint}/${key}`)
  if (part !== undefined) {
    url.searchParams.set('partNumber', String(part.partNumber))
    url.searchParams.set('uploadId', part.uploadId)
  }
  url.searchParams.set('X-Amz-Expires', String(PRESIGNED_URL_TTL_S))
  const signed = await client.sign(url.href, {
    method: 'PUT',
    headers: {
      ...(contentType === undefined ? {} : { 'content-type': contentType }),
      ...(sizeBytes === undefined ? {} : { 'content-length': String(sizeBytes) }),
    },
    aws: { signQuery: true, allHeaders: true },
  })
  return signed.url
}

/** How a file of this size is divided: R2 wants all parts but the last of one size. */
export function planParts(sizeBytes: number): PartPlan {
  return { partBytes: UPLOAD_PART_BYTES, partCount: Math.max(1, Math.ceil(sizeBytes / UPLOAD_PART_BYTES)) }
}

/** Bytes of part `part`, counted from 1; 0 when the file has no such part. */
export function partBytesOf(sizeBytes: number, part: number): number {
  if (!Number.isInteger(part) || part < 1) return 0
  return Math.max(0, Math.min(UPLOAD_PART_BYTES, sizeBytes - (part - 1) * UPLOAD_PART_BYTES))
}

/** A file's name made readable: `01_change-the-filter.final.mp4` → `01 change the filter final`, first letter upper. */
export function titleFromFilename(filename: string): string {
  const base = filename.split(/[\\/]/).at(-1) ?? filename
  const words = base
    .replace(/\.[A-Za-z0-9]{2,5}$/, '')
    .replace(/[._\-+\s]+/g, ' ')
    .trim()
  const title = words === '' ? 'Untitled video' : words.charAt(0).toUpperCase() + words.slice(1)
  return cutTitle(title)
}

const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' })

/** Keeps what is read as one sign, such as an emoji of several code points, whole. */
function cutTitle(title: string): string {
  if (title.length <= MODULE_TITLE_MAX_CHARS) return title
  let end = 0
  for (const { index, segment } of graphemes.segment(title)) {
    if (index + segment.length > MODULE_TITLE_MAX_CHARS) break
    end = index + segment.length
  }
  return title.slice(0, end || MODULE_TITLE_MAX_CHARS).toWellFormed()
}

/** @param env text of MAX_UPLOAD_BYTES must be a positive number of bytes */
export function readUploadConfig(env: Env): UploadConfig {
  const maxBytes = Number(env.MAX_UPLOAD_BYTES)
  // Every comparison with NaN is false: a typing error would mean no limit at all.
  if (!(maxBytes > 0)) throw new Error(`MAX_UPLOAD_BYTES is not a number of bytes: ${env.MAX_UPLOAD_BYTES}`)
  return {
    endpoint: env.R2_S3_ENDPOINT.replace(/\/$/, ''),
    accessKeyId: env.R2_ACCESS_KEY_ID,
    secretAccessKey: env.R2_SECRET_ACCESS_KEY,
    maxBytes,
  }
}

/** Refuses a file that is empty or too large. @throws {AppError} file_empty, payload_too_large */
export function checkSize(sizeBytes: number, maxBytes: number): void {
  if (sizeBytes === 0) throw new AppError('file_empty', 'This file is empty. Please pick another one.')
  if (sizeBytes <= maxBytes) return
  const gigabytes = (maxBytes / 1024 ** 3).toFixed(1).replace(/\.0$/, '')
  throw new AppError(
    'payload_too_large',
    `This video is larger than ${gigabytes} GB. Please cut it into shorter parts or compress it.`,
  )
}
