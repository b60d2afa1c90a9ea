import { softDeleteModule } from '#worker/domain/module/deleted-store.ts'
import { getOwnModule } from '#worker/domain/module/get-module.ts'
import { mayDelete } from '#worker/domain/module/module-access.ts'
import { admitRuns } from '#worker/domain/run/admit-runs.ts'
import type { RunDeps } from '#worker/domain/run/run-deps.ts'
import type { Caller } from '#worker/ports/identity.ts'

/**
 * Takes a module off every page and link at once; a run in progress stops at its next checkpoint. Nothing of it is
 * lost: it can be restored for seven days, and goes with a later sweep.
 * @returns false when the caller owns the module but may not delete it
 * @throws {AppError} not_found, also when it has been deleted before
 */
export async function deleteModule(deps: RunDeps, caller: Caller, moduleId: string): Promise<boolean> {
  const module = await getOwnModule(deps.db, caller, moduleId)
  if (!mayDelete(caller, module)) return false
  await softDeleteModule(deps.db, module.id, { nowMs: deps.nowMs(), kind: 'restorable' })
  await admitRuns(deps, module.userId)
  return true
}
