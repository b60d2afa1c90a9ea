import type { CompleteAnswer, CompleteRequest } from '#contract/upload.ts'
import { sniffContainer } from '#worker/domain/media/sniff-container.ts'
import { getOwnModule, moduleNotFound } from '#worker/domain/module/get-module.ts'
import { findModule, type ModuleRow, type ReceivedSource, receiveSource } from '#worker/domain/module/module-store.ts'
import type { RunDeps } from '#worker/domain/run/run-deps.ts'
import { startRun } from '#worker/domain/run/start-run.ts'
import { AppError } from '#worker/errors.ts'
import type { Caller } from '#worker/ports/identity.ts'
import { tooLarge } from './presign-upload.ts'

/** The containers that we take show themselves well within this. */
const SNIFF_BYTES = 64 * 1024

interface CompleteDeps extends RunDeps {
  maxBytes: number
}

/**
 * Checks the object that was uploaded, pins the module to its very bytes and starts the first run. Idempotent: a
 * repetition, also at the same moment, answers the same and starts nothing.
 * @throws {AppError} not_found (also for another owner's module or a wrong key), upload_missing, file_empty,
 *   payload_too_large, not_a_video
 */
export async function completeUpload(
  deps: CompleteDeps,
  caller: Caller,
  request: CompleteRequest,
): Promise<CompleteAnswer> {
  const module = await getOwnModule(deps.db, caller, request.moduleId)
  if (module.sourceKey !== request.key) throw moduleNotFound()
  if (module.sourceEtag === null) {
    await receiveSource(deps.db, module.id, await inspectSource(deps, module), deps.nowMs())
  }
  await startFirstRun(deps, module.id)
  return { success: true, moduleId: module.id, trainingUrl: `/training/${module.id}` }
}

/** Separate from receiving, so that a crash between the two is mended by the next call. */
async function startFirstRun(deps: CompleteDeps, moduleId: string): Promise<void> {
  const module = await findModule(deps.db, moduleId)
  if (module !== null && module.run === 0) await startRun(deps, module, { trigger: 'upload' })
}

async function inspectSource(deps: CompleteDeps, module: ModuleRow): Promise<ReceivedSource> {
  const object = await deps.bucket.head(module.sourceKey)
  if (object === null) {
    throw new AppError('upload_missing', 'The video has not arrived yet. Please upload it again.')
  }
  try {
    checkSize(object.size, deps.maxBytes)
    return { etag: object.etag, sizeBytes: object.size, type: await sniffSource(deps.bucket, object) }
  } catch (error) {
    // A refused file is worth nothing to anybody; the row goes with the sweep.
    if (error instanceof AppError) await deps.bucket.delete(module.sourceKey)
    throw error
  }
}

function checkSize(sizeBytes: number, maxBytes: number): void {
  if (sizeBytes === 0) throw new AppError('file_empty', 'This file is empty. Please pick another one.')
  if (sizeBytes > maxBytes) throw new AppError('payload_too_large', tooLarge(maxBytes))
}

async function sniffSource(bucket: R2Bucket, object: R2Object): Promise<string> {
  const range = { offset: 0, length: Math.min(SNIFF_BYTES, object.size) }
  const first = await bucket.get(object.key, { range, onlyIf: { etagMatches: object.etag } })
  const type = first !== null && 'body' in first ? sniffContainer(new Uint8Array(await first.arrayBuffer())) : null
  if (type === null) {
    throw new AppError(
      'not_a_video',
      'This file is not a video that we can read. Please upload an MP4, MOV or WebM file.',
    )
  }
  return type
}
