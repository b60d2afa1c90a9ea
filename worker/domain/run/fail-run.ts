import type { FailureCode } from '#contract/module.ts'
import { announceModule } from '#worker/domain/live/announce.ts'
import { failModule } from '#worker/domain/module/module-store.ts'
import { admitNext } from './admit-runs.ts'
import type { RunDeps } from './run-deps.ts'
import { endRun, type RunId } from './run-store.ts'

/** Why a run ends, and the sentence that its owner reads. */
export interface RunFailure {
  code: FailureCode
  reason: string
}

/**
 * Ends a run and its module as FAILED, once, and tells everyone. Nothing happens when the run is over already. What was
 * cut and heard is kept, so that a new run can go on from there.
 */
export async function failRun(deps: RunDeps, id: RunId, failure: RunFailure): Promise<void> {
  const nowMs = deps.nowMs()
  if (!(await failModule(deps.db, { moduleId: id.moduleId, run: id.run, nowMs }, failure))) return
  await endRun(deps.db, id, { outcome: 'failed', failureCode: failure.code, nowMs })
  await announceModule(deps, id.moduleId)
  await admitNext(deps, id.moduleId)
}
