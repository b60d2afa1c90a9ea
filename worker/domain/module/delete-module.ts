import { admitRuns } from '#worker/domain/run/admit-runs.ts'
import { removeRunObjects } from '#worker/domain/run/remove-run-objects.ts'
import type { RunDeps } from '#worker/domain/run/run-deps.ts'
import type { Caller } from '#worker/ports/identity.ts'
import { getOwnModule } from './get-module.ts'
import { mayDelete } from './module-access.ts'
import { updateModule } from './module-store.ts'

/**
 * Takes a module off every page and link at once; a run in progress stops at its next checkpoint, and the sound that it
 * cut out is removed. Rows and the video go with a later sweep.
 * @returns false when the caller owns the module but may not delete it
 * @throws {AppError} not_found
 */
export async function deleteModule(deps: RunDeps, caller: Caller, moduleId: string): Promise<boolean> {
  const module = await getOwnModule(deps.db, caller, moduleId)
  if (!mayDelete(caller, module)) return false
  const nowMs = deps.nowMs()
  await updateModule(deps.db, module.id, { deletedAt: nowMs, updatedAt: nowMs })
  await removeRunObjects(deps.bucket, module.id)
  await admitRuns(deps, module.userId)
  return true
}
