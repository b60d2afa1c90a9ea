import { AwsClient } from 'aws4fetch'
import { nanoid } from 'nanoid'
import { PRESIGNED_URL_TTL_S } from '#contract/limits.ts'
import type { PresignAnswer, PresignRequest } from '#contract/upload.ts'
import type { Db } from '#worker/db/db.ts'
import { insertModule } from '#worker/domain/module/module-store.ts'
import { AppError } from '#worker/errors.ts'
import type { Caller } from '#worker/ports/identity.ts'
import { titleFromFilename } from './title-from-filename.ts'

/** 22 characters of nanoid's alphabet of 64: 132 random bits. The id is what a share link rests on. */
const MODULE_ID_CHARS = 22

/** The bucket's S3 side and how large an object may become. */
export interface UploadConfig {
  /** S3 endpoint including the bucket. */
  endpoint: string
  accessKeyId: string
  secretAccessKey: string
  maxBytes: number
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

/**
 * Reserves a module and hands out one URL for one PUT of its video. Nothing is listed until its bytes have arrived.
 * @throws {AppError} unsupported_media_type, file_empty, payload_too_large
 */
export async function presignUpload(
  deps: { db: Db; config: UploadConfig; nowMs: number },
  caller: Caller,
  request: PresignRequest,
): Promise<PresignAnswer> {
  checkDeclared(request, deps.config.maxBytes)
  const moduleId = nanoid(MODULE_ID_CHARS)
  const key = `src/${moduleId}/${nanoid(MODULE_ID_CHARS)}`
  await insertModule(deps.db, {
    id: moduleId,
    userId: caller.userId,
    orgId: caller.orgId,
    title: titleFromFilename(request.filename),
    filename: request.filename,
    status: 'PROCESSING',
    message: 'Waiting for the upload',
    sourceKey: key,
    declaredType: request.contentType,
    createdAt: deps.nowMs,
    updatedAt: deps.nowMs,
  })
  return { success: true, uploadUrl: await signPut(deps.config, key, request.contentType), key, moduleId }
}

/** With parameters too: recordings of a browser say `video/webm;codecs=vp9,opus`. */
const VIDEO_TYPE = /^video\/[\w.+-]+(?: *;[ -~]*[!-~])?$/i

function checkDeclared(request: PresignRequest, maxBytes: number): void {
  if (!VIDEO_TYPE.test(request.contentType)) {
    throw new AppError('unsupported_media_type', 'Only video files are allowed')
  }
  if (request.sizeBytes === 0) throw new AppError('file_empty', 'This file is empty. Please pick another one.')
  if ((request.sizeBytes ?? 0) > maxBytes) throw new AppError('payload_too_large', tooLarge(maxBytes))
}

/** What a trainer reads about a file above the limit. */
export function tooLarge(maxBytes: number): string {
  const gigabytes = (maxBytes / 1024 ** 3).toFixed(1).replace(/\.0$/, '')
  return `This video is larger than ${gigabytes} GB. Please cut it into shorter parts or compress it.`
}

/** Only host and content type are signed, so a plain PUT of the file with its type is enough. */
async function signPut(config: UploadConfig, key: string, contentType: string): Promise<string> {
  const client = new AwsClient({ ...config, service: 's3', region: 'auto' })
  const url = new URL(`${config.endpoint}/${key}`)
  url.searchParams.set('X-Amz-Expires', String(PRESIGNED_URL_TTL_S))
  const signed = await client.sign(url.href, {
    method: 'PUT',
    headers: { 'content-type': contentType },
    aws: { signQuery: true, allHeaders: true },
  })
  return signed.url
}
