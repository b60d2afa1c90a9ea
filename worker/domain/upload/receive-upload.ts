import { sniffContainer } from '#media/sniff-container.ts'
import { publishModule } from '#worker/domain/live/publish.ts'
import { SETTLED_AFTER_MS } from '#worker/domain/module/deleted-store.ts'
import { moduleNotFound } from '#worker/domain/module/get-module.ts'
import { findModule, type ModuleRow } from '#worker/domain/module/module-store.ts'
import { refundReserved, refundUpload } from '#worker/domain/quota/quota-store.ts'
import { takeBytes, takeModule } from '#worker/domain/quota/take-quota.ts'
import { admitRuns } from '#worker/domain/run/admit-runs.ts'
import { ring } from '#worker/domain/run/doorbell.ts'
import { openRunDeps, type RunDeps } from '#worker/domain/run/run-deps.ts'
import { startRun } from '#worker/domain/run/start-run.ts'
import { AppError } from '#worker/errors.ts'
import { assembleParts } from './assemble-parts.ts'
import { isOpenUpload } from './open-upload.ts'
import { type ReceivedSource, receiveSource, refuseSource } from './source-store.ts'
import { readUploadConfig, tooLarge, type UploadConfig } from './upload-config.ts'
import { removeUploadParts } from './upload-store.ts'

/** The containers that we take show themselves well within this. */
const SNIFF_BYTES = 64 * 1024

/** What receiving an upload can reach. */
export interface UploadDeps extends RunDeps {
  config: UploadConfig
}

/** The parts of a worker that uploads need. */
export function openUploadDeps(env: Env): UploadDeps {
  return { ...openRunDeps(env), config: readUploadConfig(env) }
}

/**
 * Checks the object that was uploaded, pins its module to its very bytes and starts the first run. Every notification of an
 * upload may call it, any number of times and at the same moment: one run begins. Parts are put together first.
 * @throws {AppError} upload_missing, source_changed, file_empty, payload_too_large, not_a_video, quota_reached; not_found
 *   when the upload was cancelled meanwhile
 */
export async function receiveUpload(deps: UploadDeps, module: ModuleRow): Promise<void> {
  if (module.sourceEtag === null) {
    if (isOpenUpload(module)) await assembleParts(deps, module)
    await receiveSource(deps.db, module.id, await takeSource(deps, module), deps.nowMs())
    await removeUploadParts(deps.db, module.id)
  }
  await goOn(deps, module.id)
}

/** Separate from receiving, so that the next call completes it after a crash between the two. */
async function goOn(deps: UploadDeps, moduleId: string): Promise<void> {
  const module = await findModule(deps.db, moduleId)
  if (module === null) throw moduleNotFound()
  if (module.run === 0 && (await startRun(deps, module, { trigger: 'upload' })) !== null) return
  // The run that its video was awaited for: one that the server is to cut has its turn now.
  await admitRuns(deps, module.userId)
  await ring(deps, 'ingest')
  await publishModule(deps, moduleId)
}

async function takeSource(deps: UploadDeps, module: ModuleRow): Promise<ReceivedSource> {
  try {
    const source = await inspectSource(deps, module)
    // Refunded when the address held something else before.
    await takeModule(deps, module)
    await takeBytes(deps, module, source.sizeBytes)
    if (module.declaredSizeBytes === null) await settleUndeclared(deps, module.id, source.sizeBytes)
    return source
  } catch (error) {
    if (isRefusal(error)) await refundUpload(deps.d1, module.id, deps.nowMs() + SETTLED_AFTER_MS)
    if (isRefusal(error) && (await refuseSource(deps.db, module.id, error.message, deps.nowMs()))) {
      await publishModule(deps, module.id)
      await admitRuns(deps, module.userId)
    }
    throw error
  }
}

/** Its address still takes a file as large as was reserved for it. */
function settleUndeclared({ d1, config, nowMs }: UploadDeps, moduleId: string, arrived: number): Promise<void> {
  return refundReserved(d1, moduleId, { reserved: config.maxBytes, arrived, atMs: nowMs() + SETTLED_AFTER_MS })
}

async function inspectSource(deps: UploadDeps, module: ModuleRow): Promise<ReceivedSource> {
  const object = await deps.bucket.head(module.sourceKey)
  if (object === null) {
    throw new AppError('upload_missing', 'The video has not arrived yet. Please upload it again.')
  }
  checkSize(object.size, deps.config.maxBytes)
  checkIsWhole(object.size, module.declaredSizeBytes)
  return { etag: object.etag, sizeBytes: object.size, type: await sniffSource(deps.bucket, object) }
}

function checkIsWhole(sizeBytes: number, declaredSizeBytes: number | null): void {
  if (declaredSizeBytes === null || declaredSizeBytes === sizeBytes) return
  throw new AppError(
    'upload_missing',
    `${sizeBytes} bytes of the video have arrived instead of ${declaredSizeBytes}. Please upload it again.`,
  )
}

/** Whether an upload is no video that we take; other failures may pass. */
export function isRefusal(error: unknown): error is AppError {
  return error instanceof AppError && REFUSALS.has(error.code)
}

const REFUSALS: ReadonlySet<string> = new Set(['file_empty', 'payload_too_large', 'not_a_video'])

function checkSize(sizeBytes: number, maxBytes: number): void {
  if (sizeBytes === 0) throw new AppError('file_empty', 'This file is empty. Please pick another one.')
  if (sizeBytes > maxBytes) throw new AppError('payload_too_large', tooLarge(maxBytes))
}

async function sniffSource(bucket: R2Bucket, object: R2Object): Promise<string> {
  const range = { offset: 0, length: Math.min(SNIFF_BYTES, object.size) }
  const first = await bucket.get(object.key, { range, onlyIf: { etagMatches: object.etag } })
  if (first === null || !('body' in first)) {
    throw new AppError('source_changed', 'The file was replaced while it was being checked. Please try again.')
  }
  const type = sniffContainer(new Uint8Array(await first.arrayBuffer()))
  if (type === null) {
    throw new AppError(
      'not_a_video',
      'This file is not a video that we can read. Please upload an MP4, MOV or WebM file.',
    )
  }
  return type
}
