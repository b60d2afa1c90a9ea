import { removeImages } from '#worker/domain/image/image-store.ts'
import { SETTLED_AFTER_MS, softDeleteUpload } from '#worker/domain/module/deleted-store.ts'
import { getOwnModule } from '#worker/domain/module/get-module.ts'
import { mayDelete } from '#worker/domain/module/module-access.ts'
import { refundUpload } from '#worker/domain/quota/quota-store.ts'
import { admitRuns } from '#worker/domain/run/admit-runs.ts'
import { removeRunObjects } from '#worker/domain/run/remove-run-objects.ts'
import type { RunDeps } from '#worker/domain/run/run-deps.ts'
import { abortParts } from '#worker/domain/upload/abort-parts.ts'
import type { Caller } from '#worker/ports/identity.ts'
import { deleteModule } from './delete-module.ts'

/**
 * Ends an upload for good: its module is gone for everyone, and so is what has arrived. Whatever comes late finds no
 * module and starts nothing; an object that it leaves behind goes with the sweep. What was counted of it is refunded
 * once no address takes bytes for it any more. A video that has arrived at this very
 * moment is deleted like any other, and can be restored.
 * @returns false when the caller owns the module but may not delete it
 * @throws {AppError} not_found
 */
export async function cancelUpload(deps: RunDeps, caller: Caller, moduleId: string): Promise<boolean> {
  const module = await getOwnModule(deps.db, caller, moduleId)
  if (!mayDelete(caller, module)) return false
  if (!(await softDeleteUpload(deps.db, moduleId, deps.nowMs()))) return deleteModule(deps, caller, moduleId)
  await abortParts(deps.bucket, module)
  await deps.bucket.delete(module.sourceKey)
  await removeRunObjects(deps.bucket, moduleId)
  await removeImages(deps.bucket, moduleId)
  await refundUpload(deps.d1, moduleId, deps.nowMs() + SETTLED_AFTER_MS)
  await admitRuns(deps, module.userId)
  return true
}
