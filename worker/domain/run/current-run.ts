import { type ModuleRow, selectModule } from '#worker/domain/module/module-store.ts'
import type { RunDeps } from './run-deps.ts'
import type { RunId } from './run-fence.ts'
import { type RunRow, selectRun } from './run-store.ts'

/** A run that there is still something to do for. */
export interface CurrentRun {
  module: ModuleRow
  run: RunRow
}

/** Whether captions have come whose sections are not planned: what was planned, if anything, is of the audio. */
export function needsCaptionPlan({ module, run }: CurrentRun): boolean {
  return module.transcriptSource === 'captions' && (run.sectionCount === null || run.formedSegments > 0)
}

/**
 * Finds a run with its module while there is still something to do for it.
 * @returns null when the module is gone or ended, or a newer run has taken over
 */
export async function findCurrentRun(deps: Pick<RunDeps, 'db'>, id: RunId): Promise<CurrentRun | null> {
  const [[module], [run]] = await deps.db.batch([selectModule(deps.db, id.moduleId), selectRun(deps.db, id)])
  if (module === undefined || module.run !== id.run || module.status !== 'PROCESSING') return null
  return run === undefined || run.endedAt !== null ? null : { module, run }
}
