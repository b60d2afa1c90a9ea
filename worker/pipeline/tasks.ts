import type { CurrentRun } from '#worker/domain/run/run-store.ts'

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
