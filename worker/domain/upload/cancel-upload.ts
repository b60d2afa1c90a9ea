import { deleteModule } from '#worker/domain/module/delete-module.ts'
import { getOwnModule } from '#worker/domain/module/get-module.ts'
import { removePictures } from '#worker/domain/picture/picture-store.ts'
import { giveBack } from '#worker/domain/quota/quota-store.ts'
import type { RunDeps } from '#worker/domain/run/run-deps.ts'
import type { Caller } from '#worker/ports/identity.ts'
import { abortParts } from './abort-parts.ts'

/**
 * Ends an upload for good: its module is gone for everyone, and so is what has arrived. Whatever comes late finds no
 * module and starts nothing; an object that it leaves behind goes with the sweep.
 * @returns false when the caller owns the module but may not delete it
 * @throws {AppError} not_found
 */
export async function cancelUpload(deps: RunDeps, caller: Caller, moduleId: string): Promise<boolean> {
  const module = await getOwnModule(deps.db, caller, moduleId)
  if (!(await deleteModule(deps, caller, moduleId))) return false
  await abortParts(deps.bucket, module)
  await deps.bucket.delete(module.sourceKey)
  await removePictures(deps.bucket, moduleId)
  await giveBack(deps.d1, moduleId)
  return true
}
