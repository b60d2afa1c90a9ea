import type { CurrentRun } from '#worker/domain/run/run-store.ts'
import type { Task } from '#worker/domain/run/task-store.ts'
import { AppError } from '#worker/errors.ts'

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
 * Says whether a call failed only because our own pace had no place for it: the model is not busy, so the task waits for
 * its place. In a run that is hours old it counts as busy all the same, which is given up in the end.
 */
export function isOnlyPaced(error: unknown, { admittedAt }: Pick<Task, 'admittedAt'>, nowMs: number): boolean {
  return error instanceof AppError && error.isPaced && nowMs - admittedAt < BUSY_MAX_MS
}
