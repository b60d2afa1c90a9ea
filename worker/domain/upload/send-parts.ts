import type { Done } from '#contract/module.ts'
import type { PartArrived, PartUrlsRequest, UrlsAnswer } from '#contract/upload.ts'
import { publishModule } from '#worker/domain/live/publish.ts'
import { moduleNotFound } from '#worker/domain/module/get-module.ts'
import { AppError } from '#worker/errors.ts'
import type { Caller } from '#worker/ports/identity.ts'
import { getOpenUpload } from './open-upload.ts'
import { partBytesOf, planParts } from './part-plan.ts'
import type { UploadDeps } from './receive-upload.ts'
import { signPut } from './sign-put.ts'
import { insertUploadPart } from './upload-store.ts'

/**
 * Creates addresses for parts of an upload, each for one PUT; the client requests new ones when they have expired.
 * @throws {AppError} not_found (also once complete or cancelled), invalid_request for a part that the file does not have
 */
export async function signParts(
  deps: UploadDeps,
  caller: Caller,
  { moduleId, parts }: PartUrlsRequest & { moduleId: string },
): Promise<UrlsAnswer> {
  const { sourceKey: key, uploadId, declaredSizeBytes } = await getOpenUpload(deps.db, caller, moduleId)
  for (const part of parts) checkPart(declaredSizeBytes, part)
  const sign = async (part: number) => ({
    number: part,
    url: await signPut(deps.config, {
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
  deps: UploadDeps,
  caller: Caller,
  { moduleId, part, etag, sizeBytes }: PartArrived & { moduleId: string; part: number },
): Promise<Done> {
  const { declaredSizeBytes } = await getOpenUpload(deps.db, caller, moduleId)
  if (sizeBytes !== checkPart(declaredSizeBytes, part)) {
    throw new AppError('invalid_request', `sizeBytes: part ${part} has ${partBytesOf(declaredSizeBytes, part)} bytes`)
  }
  const row = { moduleId, part, etag: etag.replaceAll('"', ''), sizeBytes }
  if (!(await insertUploadPart(deps.d1, row, deps.nowMs()))) throw moduleNotFound()
  await publishModule(deps, moduleId)
  return { success: true }
}

function checkPart(sizeBytes: number, part: number): number {
  const partBytes = partBytesOf(sizeBytes, part)
  if (partBytes > 0) return partBytes
  throw new AppError('invalid_request', `part: the file has parts 1 to ${planParts(sizeBytes).partCount}`)
}
