import type { Context } from '#worker/core/context.ts'
import { AppError, type AppErrorCode } from '#worker/core/errors.ts'
import { publishModule } from '#worker/domain/live/publish.ts'
import { SETTLED_AFTER_MS } from '#worker/domain/module/deleted-store.ts'
import { moduleNotFound } from '#worker/domain/module/get-module.ts'
import { findModule, type ModuleRow } from '#worker/domain/module/module-store.ts'
import { refundReserved, refundUpload } from '#worker/domain/quota/quota-store.ts'
import { takeBytes, takeModule } from '#worker/domain/quota/take-quota.ts'
import { admitRuns, startRun } from '#worker/domain/run/start-run.ts'
import { ring } from '#worker/tasks/ring.ts'
import { inspectSource } from './inspect-source.ts'
import { assembleParts } from './upload-parts.ts'
import { type ReceivedSource, receiveSource, refuseSource, removeUploadParts } from './upload-store.ts'
/**
 * Checks the object that was uploaded, pins its module to its very bytes and starts the first run. Every notification of an
 * upload may call it, any number of times and at the same moment: one run begins. Parts are put together first.
 * @throws {AppError} upload_missing, source_changed, file_empty, payload_too_large, not_a_video, quota_reached; not_found
 *   when the upload was cancelled meanwhile
 */
export async function receiveUpload(context: Context, module: ModuleRow): Promise<void> {
  if (module.sourceEtag === null) {
    if (module.uploadId !== null) await assembleParts(context, module)
    await receiveSource(context.db, module.id, await takeSource(context, module), context.nowMs())
    await removeUploadParts(context.db, module.id)
  }
  await continueRun(context, module.id)
}

/** Separate from receiving, so that the next call completes it after a crash between the two. */
async function continueRun(context: Context, moduleId: string): Promise<void> {
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

/** What an upload that was not received is taken for, by the error; after other failures it may be received yet. */
export const NOT_RECEIVED: Partial<Record<AppErrorCode, 'absent' | 'refused' | 'unknown'>> = {
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
export function isRefusal(error: unknown): error is AppError {
  return error instanceof AppError && NOT_RECEIVED[error.code] === 'refused'
}
