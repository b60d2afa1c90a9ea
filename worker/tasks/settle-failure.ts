import type { Context } from '#worker/core/context.ts'
import { faultOf } from '#worker/core/errors.ts'
import { logLine } from '#worker/log/log.ts'
import { isOnlyWaiting, planRetry } from './retry.ts'
import type { Task, TaskHandler } from './task.ts'
import { retryTask } from './task-store.ts'

/** A failure of a task. */
interface Failure {
  error: unknown
  /** How long the attempt took; left out where nothing measured it. */
  durationMs?: number
}

/** Settles a task that failed: it is released until its next attempt, or given up. */
export async function settleFailure(
  task: Task,
  { context, handler }: { context: Context; handler: TaskHandler },
  { error, ...duration }: Failure,
): Promise<void> {
  const next = planRetry(task, error, context.nowMs())
  const retryAfterS = next === null ? 0 : Math.ceil((next.nextAttemptAt - context.nowMs()) / 1000)
  if (next === null) logLine('warn', 'task', { outcome: 'failed', ...duration, ...faultOf(error) })
  else logLine('warn', 'task', { outcome: 'retry', retryAfterS, ...duration, ...faultOf(error) })
  try {
    if (next === null) return await handler.onGiveUp(task, context, error)
    await retryTask(context.d1, task, next)
    const isBusyAgain = task.busySince !== null && next.busySince !== null
    if (isBusyAgain || isOnlyWaiting(error, task, context.nowMs())) await handler.onWait?.(task, context, error)
  } catch (fault) {
    // The lease runs out, and the task is claimed again.
    logLine('warn', 'task_not_settled', faultOf(fault))
  }
}
