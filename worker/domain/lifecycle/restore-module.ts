import { publishModule } from '#worker/domain/live/publish.ts'
import { restoreRow } from '#worker/domain/module/deleted-store.ts'
import { getOwnModule, moduleNotFound } from '#worker/domain/module/get-module.ts'
import { mayDelete } from '#worker/domain/module/module-access.ts'
import type { ModuleRow } from '#worker/domain/module/module-store.ts'
import { admitRuns } from '#worker/domain/run/admit-runs.ts'
import { ringAll } from '#worker/domain/run/doorbell.ts'
import type { RunDeps } from '#worker/domain/run/run-deps.ts'
import { findRun } from '#worker/domain/run/run-store.ts'
import { startRun } from '#worker/domain/run/start-run.ts'
import type { Caller } from '#worker/ports/identity.ts'

/**
 * Restores a deleted module as it was, for those who may delete it; its unfinished run continues. Idempotent.
 * @throws {AppError} not_found, also when its time is over
 */
export async function restoreModule(deps: RunDeps, caller: Caller, moduleId: string): Promise<void> {
  const module = await restoreRow(deps.db, caller, { moduleId, nowMs: deps.nowMs() })
  if (module === null) return checkIsBack(deps, caller, moduleId)
  if (module.status === 'PROCESSING') await goOn(deps, module)
}

async function checkIsBack(deps: RunDeps, caller: Caller, moduleId: string): Promise<void> {
  const module = await getOwnModule(deps.db, caller, moduleId)
  if (!mayDelete(caller, module)) throw moduleNotFound()
}

/** Its tasks are as they were; the announcement sets the watchdog. */
async function goOn(deps: RunDeps, module: ModuleRow): Promise<void> {
  const run = await findRun(deps.db, { moduleId: module.id, run: module.run })
  // It was deleted between two steps of what ends a run and begins the next.
  const isOver = module.sourceEtag !== null && (run === null || run.endedAt !== null)
  if (isOver) await startRun(deps, module, { trigger: 'upload' })
  else if (run?.admittedAt === null) await admitRuns(deps, module.userId)
  else if (run !== null) await ringAll(deps)
  await publishModule(deps, module.id)
}
