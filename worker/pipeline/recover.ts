import type { BoundedContext, Context } from '#worker/core/context.ts'
import { findModule, listQuietModules, type ModuleRow } from '#worker/domain/module/module-store.ts'
import { carryTasksOver } from '#worker/domain/run/carry-tasks.ts'
import { countRedrive, findRun, type RunRow, reportRun, updateFailed } from '#worker/domain/run/run-store.ts'
import { RUN_TASK_KINDS, subjectOf } from '#worker/domain/run/run-subject.ts'
import { admitRuns, failRun, type RunFailure, settleRun, startRun } from '#worker/domain/run/start-run.ts'
import { logLine } from '#worker/log/log.ts'
import { findOpenWork } from '#worker/tasks/recover.ts'
import { ring } from '#worker/tasks/ring.ts'
import { advanceRun } from './advance-run.ts'

/** How often a module in progress is checked at least. */
export const WATCH_EVERY_MS = 10_000
/** No check follows another one sooner. */
const WATCH_AGAIN_MS = 2_000
/** A module without a check and without progress for this long has an alarm that is late. */
export const LATE_MS = 45_000
/**
 * With the check that notices it, a run fails before twenty minutes without progress are over, but only if so many checks
 * have seen it: a machine may have been off.
 */
const SILENCE_MAX_MS = 19 * 60_000
export const CHECKS_MAX = 15

const GIVE_UP: RunFailure = {
  code: 'gave_up',
  reason: 'Processing stopped and did not come back. Nothing of your video is lost: please try again.',
}

/**
 * Recovers a module in progress after a worker, a queue message or the work between two tasks was lost: rings for tasks
 * that are due and not claimed, and fails a run without progress. The room's alarm calls it while the module is in
 * progress, the cron where an alarm is late. Calling it at any other moment does no harm.
 * @returns when to check again, in milliseconds from now; null when there is nothing to watch any more
 */
export async function recover(context: Context, moduleId: string): Promise<number | null> {
  const module = await findModule(context.db, moduleId)
  if (module === null || module.receivedAt === null) return null
  const run = await findRun(context.db, { moduleId, run: module.run })
  if (module.runStatus !== 'PROCESSING') {
    // The worker that committed the end may have died before it settled the run.
    if (run !== null) await settleRun(context, run)
    return null
  }
  if (run === null) return recoverStart(context, module)
  if (run.admittedAt === null) await admitRuns(context, module.userId)
  // A run that waits for its owner's fair share is not stuck.
  if (run.admittedAt === null) return keepWaiting(context, module)
  await advanceRun(context, run)
  return recoverTasks(context, module, run)
}

async function recoverTasks(context: Context, module: ModuleRow, run: RunRow): Promise<number | null> {
  const nowMs = context.nowMs()
  const { dueKinds, dueCount, nextMs } = await findOpenWork(context.d1, {
    ...subjectOf(run),
    kinds: RUN_TASK_KINDS,
    nowMs,
  })
  const carriedCount = nextMs === null && dueCount === 0 ? await carryTasksOver(context) : 0
  if (nextMs === null && carriedCount === 0 && isOver(module, nowMs)) return failSilent(context, module)
  for (const kind of dueKinds) await ring(context, kind)
  // A lease that is not extended until then has been lost.
  if (nextMs !== null) return Math.min(WATCH_EVERY_MS, Math.max(WATCH_AGAIN_MS, nextMs - nowMs))
  // Where nothing is due before the video has arrived, the run waits for its upload, and a silent one for its scenes.
  if (dueCount > 0 || (module.sourceEtag !== null && module.failureCode === null)) {
    logLine('warn', 'run_silent', {
      moduleId: module.id,
      run: run.run,
      redrives: module.redrives + 1,
      count: dueCount,
    })
  }
  await countRedrive(context.db, { moduleId: module.id, run: run.run, nowMs })
  return WATCH_EVERY_MS
}

function isOver({ redrives, updatedAt }: ModuleRow, nowMs: number): boolean {
  return redrives >= CHECKS_MAX && nowMs - updatedAt >= SILENCE_MAX_MS
}

/**
 * Fails a run without progress. A run whose video is still uploading does not fail; it is only not watched any more.
 */
async function failSilent(context: Context, { id: moduleId, run, sourceEtag }: ModuleRow): Promise<null> {
  if (sourceEtag !== null) await failRun(context, { moduleId, run }, GIVE_UP)
  return null
}

async function keepWaiting(context: Context, module: ModuleRow): Promise<number> {
  const runAndTime = { moduleId: module.id, run: module.run, nowMs: context.nowMs() }
  // The report updates `updatedAt`; otherwise the cron would consider the alarm late.
  if (runAndTime.nowMs - module.updatedAt >= LATE_MS) await reportRun(context.db, runAndTime, {})
  return WATCH_EVERY_MS
}

/** Starts the run of a video that has arrived and has none yet. */
async function recoverStart(context: Context, module: ModuleRow): Promise<number | null> {
  const runAndTime = { moduleId: module.id, run: module.run, nowMs: context.nowMs() }
  if (module.sourceEtag === null) return null
  if (module.redrives >= CHECKS_MAX) await updateFailed(context.db, runAndTime, GIVE_UP)
  else if (await countRedrive(context.db, runAndTime)) await startRun(context, module, { trigger: 'upload' })
  return WATCH_EVERY_MS
}

/** Finds modules in progress whose alarm is late, for the cron and for what ended in the dead-letter queue. */
export function listLateModules(context: Pick<Context, 'db' | 'nowMs'>): Promise<ModuleRow[]> {
  return listQuietModules(context.db, { beforeMs: context.nowMs() - LATE_MS, redrivesMax: CHECKS_MAX })
}

/**
 * Consumer of the dead-letter queue: logs messages that could not be delivered, and wakes the watchdog. Modules for
 * which this invocation has no queries left are recovered by the sweep.
 */
export async function wakeWatchdog(batch: MessageBatch<unknown>, context: BoundedContext): Promise<void> {
  for (const { id: messageId } of batch.messages) logLine('warn', 'dead_letter', { messageId })
  for (const { id } of await listLateModules(context)) {
    if (!context.hasQueriesLeft()) break
    await recover(context, id)
  }
  batch.ackAll()
}
