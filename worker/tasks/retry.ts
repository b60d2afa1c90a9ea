import { AppError, isDatabaseAway, isRetryable } from '#worker/core/errors.ts'
import type { Task } from './task.ts'

/** When a task that was released is due again, and what is remembered of it. */
export interface NextAttempt {
  attempts: number
  nextAttemptAt: number
  busySince: number | null
}

/** Failures after which a task is given up: with the pauses between them, one to two minutes. */
export const MAX_ATTEMPTS = 7
/** How long a model may be busy, in hours, before a task is given up. */
export const BUSY_MAX_MS = 3 * 60 * 60_000

/**
 * Says whether a call failed only because our own pace refused it, or because the service is being prepared: the model is
 * not busy, so the task waits. Once its subject is hours old it counts as busy all the same, which is given up in the end.
 */
export function isOnlyWaiting(error: unknown, { openSince }: Pick<Task, 'openSince'>, nowMs: number): boolean {
  return error instanceof AppError && (error.isPaced || error.isPreparing) && nowMs - openSince < BUSY_MAX_MS
}

/** Seconds before the first retry; doubles with each failure. */
const BASE_DELAY_S = 2
const MAX_DELAY_S = 120
/** Nothing can be done without the database. */
const AWAY_DELAY_S = 30

/** Plans the next attempt after a failure. Null: there is none, the task is given up. */
export function planRetry(
  { attempts, busySince, openSince }: Pick<Task, 'attempts' | 'busySince' | 'openSince'>,
  error: unknown,
  nowMs: number,
): NextAttempt | null {
  if (error instanceof AppError && !isRetryable(error)) return null
  if (isOnlyWaiting(error, { openSince }, nowMs)) {
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
  const requestedS = error instanceof AppError ? (error.retryAfterS ?? 0) : 0
  if (isDatabaseAway(error)) return spread(2 * AWAY_DELAY_S)
  // On top of what the service asks for, so that not all come back at that very moment.
  return requestedS + spread(BASE_DELAY_S * 2 ** failures)
}

/** Full jitter above half, so that tasks that failed together do not come back together. */
function spread(seconds: number): number {
  return Math.ceil(Math.min(MAX_DELAY_S, seconds) * (0.5 + Math.random() / 2))
}
