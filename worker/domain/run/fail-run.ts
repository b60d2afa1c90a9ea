import type { FailureCode } from '#contract/module.ts'
import { logLine } from '#worker/log/log-line.ts'
import { findCurrentRun } from './current-run.ts'
import type { RunDeps } from './run-deps.ts'
import type { RunId } from './run-fence.ts'
import { updateFailed } from './run-status-store.ts'
import { awaitsVideo, updateFailedRun } from './run-store.ts'
import { settleRun } from './settle-run.ts'
import { startRun } from './start-run.ts'
import { holdsLease, type Task } from './task-store.ts'

/** Why a run ends, and the sentence that its owner reads. */
export interface RunFailure {
  code: FailureCode
  reason: string
}

/**
 * Ends a run and its module as FAILED, once, and notifies the watchers. Nothing happens when the run is over already. What was
 * cut and transcribed is kept, so that a new run can continue from there. A browser's audio may not be verified yet:
 * the video's: it ends nothing, and the server cuts the audio itself.
 * @param task that failed; nothing happens once its lease was lost
 */
export async function failRun(
  deps: RunDeps,
  { moduleId, run }: RunId,
  failure: RunFailure,
  task?: Task,
): Promise<void> {
  const id = { moduleId, run }
  const nowMs = deps.nowMs()
  const isOurs = task === undefined ? undefined : holdsLease(task)
  const [, failed] = await deps.db.batch([
    updateFailedRun(deps.db, id, { failureCode: failure.code, nowMs, isOurs }),
    updateFailed(deps.db, { ...id, nowMs, isOurs }, failure),
  ])
  if (failed.length === 1) return settleRun(deps, id)
  const current = await findCurrentRun(deps, id)
  if (current === null || !awaitsVideo(current.run)) return
  logLine('warn', 'audio_dropped', { moduleId: id.moduleId, run: id.run, code: failure.code })
  await startRun(deps, current.module, { trigger: 'recut' })
}
