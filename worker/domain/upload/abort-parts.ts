import type { ModuleRow } from '#worker/domain/module/module-store.ts'
import { faultOf } from '#worker/errors.ts'
import { logLine } from '#worker/log/log-line.ts'

const IS_OVER = /\(10024\)|does not exist/

/** Returns true when R2 no longer knows an upload: it was completed or aborted before. */
export function isUploadOver(error: unknown): boolean {
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
