import type { FailureCode } from '#contract/module.ts'
import { announceModule } from '#worker/domain/live/announce.ts'
import { failModule } from '#worker/domain/module/module-store.ts'
import { endRun, type RunId } from '#worker/domain/run/run-store.ts'
import type { JobDeps } from './job.ts'

/** Ends a run and its module as FAILED, once, and tells everyone. Nothing happens when the run is over already. */
export async function failRun(
  deps: Pick<JobDeps, 'db' | 'env' | 'nowMs'>,
  id: RunId,
  failure: { code: FailureCode; reason: string },
): Promise<void> {
  const nowMs = deps.nowMs()
  if (!(await failModule(deps.db, { moduleId: id.moduleId, run: id.run, nowMs }, failure))) return
  await endRun(deps.db, id, { outcome: 'failed', failureCode: failure.code, nowMs })
  await announceModule({ db: deps.db, rooms: deps.env.MODULE_ROOM }, id.moduleId)
}
