import type { CompleteAnswer, CompleteRequest } from '#contract/upload.ts'
import type { Context } from '#worker/core/context.ts'
import { getOwnModule, moduleNotFound } from '#worker/domain/module/get-module.ts'
import type { Caller } from '#worker/ports/identity.ts'

import { isRefusal, receiveUpload } from './receive-upload.ts'
/**
 * Checks the object that was uploaded, pins the module to its very bytes and starts the first run. Idempotent: a
 * repetition, also at the same moment, answers the same and starts nothing.
 * @throws {AppError} not_found (also for another owner's module or a wrong key), upload_missing,
 *   source_changed, file_empty, payload_too_large, not_a_video, quota_reached
 */
export async function completeUpload(
  context: Context,
  caller: Caller,
  request: CompleteRequest,
): Promise<CompleteAnswer> {
  const module = await getOwnModule(context.db, caller, request.moduleId)
  if (module.sourceKey !== request.key) throw moduleNotFound()
  try {
    await receiveUpload(context, module)
  } catch (error) {
    // A refused file is worth nothing to anybody; the row goes with the sweep.
    if (isRefusal(error)) await context.bucket.delete(module.sourceKey)
    throw error
  }
  return { success: true, moduleId: module.id, trainingUrl: `/training/${module.id}` }
}
