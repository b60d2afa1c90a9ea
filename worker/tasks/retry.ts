import { AppError, isDatabaseAway, isRetryable } from '#worker/core/errors.ts'
import type { CurrentRun } from '#worker/domain/run/run-store.ts'
import type { NextAttempt, Task } from './task-store.ts'

/** What a stage knows about the invocation that it runs in. */
export interface Attempt {
  /** Finds the run and its module, once for all tasks of one claim. */
  findCurrent: () => Promise<CurrentRun | null>
  /** Fires when the run has ended, was fenced, or the lease was lost while the task was in progress. */
  signal: AbortSignal
  /** Ends the other tasks of the same run, once the run as a whole cannot succeed. */
  stopRun: () => void
}

/** Failures after which a task is given up: with the pauses between them, about four minutes. */
export const MAX_ATTEMPTS = 7
/** How long a model may say that it is busy, in hours, before its module fails. */
export const BUSY_MAX_MS = 3 * 60 * 60_000

/**
 * Says whether a call failed only because our own pace had no place for it, or because the service is being prepared: the
 * model is not busy, so the task waits. In a run that is hours old it counts as busy all the same, which is given up in
 * the end.
 */
export function isOnlyWaiting(error: unknown, { admittedAt }: Pick<Task, 'admittedAt'>, nowMs: number): boolean {
  return error instanceof AppError && (error.isPaced || error.isPreparing) && nowMs - admittedAt < BUSY_MAX_MS
}

/** Seconds before the first retry; doubles with each failure. */
const BASE_DELAY_S = 2
const MAX_DELAY_S = 120
/** Nothing can be done without the database. */
const AWAY_DELAY_S = 30

/** Plans the next attempt after a failure. Null: there is none, the run fails. */
export function planRetry(
  { attempts, busySince, admittedAt }: Pick<Task, 'attempts' | 'busySince' | 'admittedAt'>,
  error: unknown,
  nowMs: number,
): NextAttempt | null {
  if (error instanceof AppError && !isRetryable(error)) return null
  if (isOnlyWaiting(error, { admittedAt }, nowMs)) {
    return { attempts, busySince, nextAttemptAt: nowMs + delayAfter(error, 0) * 1000 }
  }
  if (error instanceof AppError && error.code === 'ai_busy') {
    const sinceMs = busySince ?? nowMs
    if (nowMs - sinceMs >= BUSY_MAX_MS) return null
    // As long again as it has been busy: the pauses double.
    const pauseS = (error.retryAfterS ?? 0) + spread(Math.max(BASE_DELAY_S, (nowMs - sinceMs) / 1000))
    return { attempts, busySince: sinceMs, nextAttemptAt: nowMs + pauseS * 1000 }
  }
  if (attempts + 1 >= MAX_ATTEMPTS) return null
  const pauseS = delayAfter(error, attempts)
  return { attempts: attempts + 1, busySince: null, nextAttemptAt: nowMs + pauseS * 1000 }
}

/** How many seconds to wait after a failure. @param failures before this one */
export function delayAfter(error: unknown, failures: number): number {
  const asked = error instanceof AppError ? (error.retryAfterS ?? 0) : 0
  if (isDatabaseAway(error)) return spread(2 * AWAY_DELAY_S)
  // On top of what the service asks for, so that not all come back at that very moment.
  return asked + spread(BASE_DELAY_S * 2 ** failures)
}

/** Full jitter above half, so that tasks that failed together do not come back together. */
function spread(seconds: number): number {
  return Math.ceil(Math.min(MAX_DELAY_S, seconds) * (0.5 + Math.random() / 2))
}
