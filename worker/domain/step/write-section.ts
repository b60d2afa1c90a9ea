import { AppError, faultOf } from '#worker/errors.ts'
import { logLine } from '#worker/log/log-line.ts'
import type { StepWindow, StepWriter } from '#worker/ports/step-writer.ts'
import { extractiveStepWriter } from './extractive/extractive-step-writer.ts'
import type { SectionStep } from './section-step.ts'
import { tidySection } from './tidy-section.ts'

/** What is stored of a section once its steps are written. */
export interface SectionAnswer {
  steps: SectionStep[]
  /** Written by the extractive engine because the language model failed. */
  isDraft: boolean
}

/** How a section is written. */
interface WriteOptions {
  signal: AbortSignal
  /** Whether the writer is not asked any more, and the extractive engine writes at once. */
  isGivenUp: boolean
  /** Whether a failure of the writer is thrown, for another try later, rather than replaced by the extractive engine's steps. */
  isWorthWaiting: (error: unknown) => boolean
}

/**
 * Writes the steps of one section, safe to store whatever the writer answers. Where the writer fails, the extractive
 * engine writes them, as drafts.
 * @throws the reason of the signal when it is aborted, and what is worth waiting for
 */
export async function writeSection(
  writer: StepWriter,
  window: StepWindow,
  { signal, isGivenUp, isWorthWaiting }: WriteOptions,
): Promise<SectionAnswer> {
  const { before, segments, durationMs } = window
  if (segments.length === 0) return { steps: [], isDraft: false }
  try {
    if (isGivenUp) throw new AppError('ai_failed', 'The step writer was given up.')
    const drafts = await writer.writeSteps(window, signal)
    return { steps: tidySection({ drafts, before, segments, durationMs }), isDraft: false }
  } catch (error) {
    if (writer === extractiveStepWriter || signal.aborted || isWorthWaiting(error)) throw error
    logLine('warn', 'step_writer_failed', { model: writer.name, ...faultOf(error) })
    const drafts = await extractiveStepWriter.writeSteps(window, signal)
    return { steps: tidySection({ drafts, before, segments, durationMs }), isDraft: true }
  }
}
