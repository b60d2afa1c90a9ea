import { type FailureCode, isRecoverableByCaptions, isRecoverableByNewRun, type ModuleWork } from '#contract/module.ts'
import type { Context } from '#worker/core/context.ts'
import { publishModule } from '#worker/domain/live/publish.ts'
import { findModule, type ModuleRow, reviveModule } from '#worker/domain/module/module-store.ts'
import { isTouched, listSteps } from '#worker/domain/step/step-store.ts'
import { removeEarlierTranscripts } from '#worker/domain/transcript/transcript-store.ts'
import { logLine } from '#worker/log/log.ts'
import type { Task } from '#worker/tasks/task.ts'
import { holdsLease } from '#worker/tasks/task-store.ts'
import { removeAudio } from './chunk-store.ts'
import type { RunId } from './fence.ts'
import {
  admitWaiting,
  awaitsVideo,
  findCurrentRun,
  findRun,
  findTurn,
  insertRun,
  PROGRESS_CHECKED,
  type RunRow,
  type RunTrigger,
  updateFailed,
  updateFailedRun,
} from './run-store.ts'
import { findRunBusyUntilMs, forgetBusyRun, ringAll } from './run-task-store.ts'

/**
 * Videos of one owner that are worked on at the same time. Queues know no owners, so an owner who sends a hundred videos
 * would otherwise keep everybody else waiting behind them.
 */
export const MAX_RUNS_PER_OWNER = 3

/**
 * A run whose video is still uploading and of which no chunk was transcribed for this long takes no turn: it only waits,
 * maybe for a tab that was closed. As long as an alarm may be late (`LATE_MS` of `worker/pipeline/recover.ts`).
 */
const IDLE_MS = 45_000

/**
 * Gives an owner's waiting runs their turn, oldest first, as far as there is room, and rings for their tasks. A run that
 * has neither its video nor a browser's audio has no turn yet.
 */
export async function admitRuns(context: Context, userId: string): Promise<void> {
  const options = { userId, nowMs: context.nowMs(), idleMs: IDLE_MS, limit: MAX_RUNS_PER_OWNER }
  if ((await admitWaiting(context.d1, options)) > 0) await ringAll(context)
}

/** After a run has ended: the next one of the same owner. A sweep repeats it when this is lost. */
async function admitNext(context: Context, moduleId: string): Promise<void> {
  const module = await findModule(context.db, moduleId)
  if (module !== null) await admitRuns(context, module.userId)
}

/**
 * What comes after a run's end has been committed: watchers are notified, its owner's next video has its turn, and the audio
 * of one that ended well goes, like the transcripts before its own. Doing it again does no harm; nothing happens before the end.
 */
export async function settleRun(context: Context, id: RunId): Promise<void> {
  const { outcome = null, failureCode = null } = (await findRun(context.db, id)) ?? {}
  if (outcome !== 'ready' && outcome !== 'failed') return
  if (outcome === 'failed') await keepStepsByHand(context, id, failureCode)
  await publishModule(context, id.moduleId)
  await admitNext(context, id.moduleId)
  // What a failed run has cut is of use to the next one.
  if (outcome !== 'ready') return
  await removeAudio(context.bucket, id)
  await removeEarlierTranscripts(context.bucket, id)
}

/** Steps that a person gave a module while its run was at work make it READY where no other run would get further. */
async function keepStepsByHand({ db, nowMs }: Context, id: RunId, code: FailureCode | null): Promise<void> {
  if (!isRecoverableByCaptions(code) || isRecoverableByNewRun(code)) return
  if ((await listSteps(db, id.moduleId)).some(isTouched)) await reviveModule(db, { ...id, id: id.moduleId }, nowMs())
}

/** Why a run begins, and what a person asked for with it. */
export interface RunCause {
  trigger: RunTrigger
  /** Text that is the same for equal requests of a person; nothing for other triggers. */
  request?: string
  /** The browser sends the audio while the video is still uploading. */
  audioFrom?: 'browser'
  /** What is to be done between the row and its turn. */
  prepare?: (id: RunId) => Promise<void>
}

/**
 * Begins a new run of a module; it asks for its first work when it is its owner's turn, and when its video or a
 * browser's audio is there.
 * @returns null when another caller began one at the same moment, or the video came before a browser's audio
 */
export async function startRun(context: Context, module: ModuleRow, cause: RunCause): Promise<RunId | null> {
  const isEarly = module.sourceEtag === null
  const id = await insertRun(context.db, {
    moduleId: module.id,
    previousRun: module.run,
    trigger: cause.trigger,
    request: cause.request ?? null,
    ...(cause.audioFrom === undefined ? {} : { audioFrom: cause.audioFrom }),
    message: isEarly ? 'Uploading video' : 'Waiting for its turn',
    progress: isEarly ? 0 : PROGRESS_CHECKED,
    nowMs: context.nowMs(),
  })
  if (id === null) return null
  await cause.prepare?.(id)
  await admitRuns(context, module.userId)
  // Sets the watchdog, too.
  await publishModule(context, module.id)
  return id
}

/** Why a run ends, and the sentence that its owner reads. */
export interface RunFailure {
  code: FailureCode
  reason: string
}

/**
 * Ends a run and its module as FAILED, once, and notifies the watchers. Nothing happens when the run is over already.
 * What was cut and transcribed is kept, so that a new run can continue from there. A run whose browser audio is not
 * verified yet does not fail: the server cuts the audio itself.
 * @param task that failed; nothing happens once its lease was lost
 */
export async function failRun(
  context: Context,
  { moduleId, run }: RunId,
  failure: RunFailure,
  task?: Task,
): Promise<void> {
  const id = { moduleId, run }
  const nowMs = context.nowMs()
  const isOurs = task === undefined ? undefined : holdsLease(task)
  const [, failed] = await context.db.batch([
    updateFailedRun(context.db, id, { failureCode: failure.code, nowMs, isOurs }),
    updateFailed(context.db, { ...id, nowMs, isOurs }, failure),
    forgetBusyRun(context.db, id),
  ])
  if (failed.meta.changes === 1) return settleRun(context, id)
  const current = await findCurrentRun(context, id)
  if (current === null || !awaitsVideo(current.run)) return
  logLine('warn', 'audio_dropped', { moduleId: id.moduleId, run: id.run, code: failure.code })
  await startRun(context, current.module, { trigger: 'recut' })
}

/** Reads how long a module has been worked on. @returns null for one that is not, or whose video has not arrived */
export async function readWork(
  context: Pick<Context, 'db' | 'd1' | 'nowMs'>,
  module: ModuleRow,
): Promise<ModuleWork | null> {
  if (module.status !== 'PROCESSING' || module.sourceEtag === null) return null
  const run = await findRun(context.db, { moduleId: module.id, run: module.run })
  if (run === null) return null
  const nowMs = context.nowMs()
  // Time before the end of the upload is not counted: a browser's audio is transcribed as it arrives.
  const beganAtMs = Math.max(run.startedAt, module.uploadedAt ?? 0)
  const isAll = run.trigger === 'upload' || (run.trigger === 'reprocess' && run.request === 'start')
  const isFromStart = isAll && run.audioFrom === 'ingest' && module.captionsKey === null
  return {
    seconds: Math.max(0, nowMs - beganAtMs) / 1000,
    fromProgress: isFromStart ? PROGRESS_CHECKED : null,
    waiting: await readWaiting(context, module, run),
  }
}

async function readWaiting(
  { d1, nowMs: now }: Pick<Context, 'd1' | 'nowMs'>,
  { userId }: ModuleRow,
  run: RunRow,
): Promise<ModuleWork['waiting']> {
  const nowMs = now()
  if (run.admittedAt !== null) {
    const untilMs = await findRunBusyUntilMs(d1, run, nowMs)
    return untilMs === null ? null : { before: 0, seconds: Math.max(0, untilMs - nowMs) / 1000 }
  }
  const { before, usualMs } = await findTurn(d1, { userId, run, nowMs })
  const ends = before - MAX_RUNS_PER_OWNER + 1
  // There is room already: it is about to be admitted.
  if (ends < 1) return null
  // Of so many runs at once, one ends after a share of the usual time, on average.
  return { before, seconds: usualMs === null ? null : (ends * usualMs) / MAX_RUNS_PER_OWNER / 1000 }
}
