import type { Context } from '#worker/core/context.ts'
import type { RunId } from '#worker/domain/run/fence.ts'
import { type CurrentRun, findCurrentRun } from '#worker/domain/run/run-store.ts'
import type { Attempt } from '#worker/tasks/task.ts'

/** What a stage knows about the invocation that it runs in. */
export interface RunAttempt extends Pick<Attempt, 'signal'> {
  /** Finds the run and its module, once for all tasks of one invocation. */
  findCurrent: () => Promise<CurrentRun | null>
}

/** Keyed by the signal that the tasks of one run in an invocation share. */
const currentRuns = new WeakMap<AbortSignal, Promise<CurrentRun | null>>()

/** Makes the attempt of a stage from the task engine's attempt. */
export function openRunAttempt(context: Context, id: RunId, { signal }: Attempt): RunAttempt {
  const findCurrent = () => {
    const current = currentRuns.get(signal) ?? findCurrentRun(context, id)
    currentRuns.set(signal, current)
    return current
  }
  return { signal, findCurrent }
}
