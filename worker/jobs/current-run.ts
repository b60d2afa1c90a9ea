import { findModule, type ModuleRow } from '#worker/domain/module/module-store.ts'
import { findRun, type RunId, type RunRow } from '#worker/domain/run/run-store.ts'
import type { JobDeps } from './job.ts'

/**
 * The module and run that a message is about, when there is still something to do for them.
 * @returns null when the module is gone or ended, or a newer run has taken over: the message is then simply done
 */
export async function findCurrentRun(
  deps: Pick<JobDeps, 'db'>,
  id: RunId,
): Promise<{ module: ModuleRow; run: RunRow } | null> {
  const module = await findModule(deps.db, id.moduleId)
  if (module === null || module.run !== id.run || module.status !== 'PROCESSING') return null
  const run = await findRun(deps.db, id)
  return run === null || run.endedAt !== null ? null : { module, run }
}
