import type { ServedContext } from '#worker/context.ts'
import { settleOutline } from '#worker/domain/run/outline-store.ts'
import type { CurrentRun } from '#worker/domain/run/run-store.ts'
import type { Task } from '#worker/domain/run/task-store.ts'
import { askOutline, OUTLINED_MIN_STEPS, type Outlined } from '#worker/domain/step/outline-steps.ts'
import type { StepToStore } from '#worker/domain/step/tidy-section.ts'
import { AppError, faultOf } from '#worker/errors.ts'
import { logLine } from '#worker/log/log.ts'
import type { StepWriter } from '#worker/ports/language-model.ts'

/** How an outline is made. */
interface OutlineOptions {
  writer: StepWriter
  /** Those of the whole video, as they are without an outline. */
  steps: readonly StepToStore[]
  signal: AbortSignal
  /** Whether the writer is not asked any more, and the list stays as it is. */
  isGivenUp: boolean
  /** Whether a failure is thrown, for another try later. */
  isWorthWaiting: (error: unknown) => boolean
}

/**
 * Has the steps of a whole video outlined, and stores the entries with the end of the task. A writer that fails leaves
 * the list as it is.
 * @returns false when the lease was lost, captions have come since, or a newer run has begun: nothing has changed then
 * @throws the reason of the signal when it is aborted, and what is worth waiting for
 */
export async function writeOutline(
  context: ServedContext,
  task: Task,
  { current, ...options }: OutlineOptions & { current: CurrentRun },
): Promise<boolean> {
  const entries = await makeOutline(current, options)
  return settleOutline(context.db, current, { task, entries, nowMs: context.nowMs() })
}

async function makeOutline({ module }: CurrentRun, options: OutlineOptions): Promise<Outlined[]> {
  const { writer, steps, signal, isGivenUp, isWorthWaiting } = options
  const { outline } = writer
  if (outline === undefined || isGivenUp || steps.length < OUTLINED_MIN_STEPS) return []
  const { title: moduleTitle, durationMs, language } = module
  try {
    return await askOutline({ outline }, { moduleTitle, durationMs, language, steps }, signal)
  } catch (error) {
    // A model that took too long once would again, and the steps are there.
    const isSlow = error instanceof AppError && error.code === 'ai_timeout'
    if (signal.aborted || (!isSlow && isWorthWaiting(error))) throw error
    logLine('warn', 'outline_failed', { model: writer.name, ...faultOf(error) })
    return []
  }
}
