import type { ModuleRow } from '#worker/domain/module/module-store.ts'
import { faultOf } from '#worker/errors.ts'
import { logLine } from '#worker/log/log-line.ts'

/** Gives up an upload in parts, with what has arrived of it; one that is over already is none of its business. */
export async function abortParts(
  bucket: R2Bucket,
  module: Pick<ModuleRow, 'id' | 'sourceKey' | 'uploadId'>,
): Promise<void> {
  if (module.uploadId === null) return
  try {
    await bucket.resumeMultipartUpload(module.sourceKey, module.uploadId).abort()
  } catch (error) {
    // Put together or given up at the same moment; if not, the bucket drops it by itself after a week.
    logLine('warn', 'abort_failed', { moduleId: module.id, ...faultOf(error) })
  }
}
