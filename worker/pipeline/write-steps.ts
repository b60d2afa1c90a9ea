import type { ServedContext } from '#worker/context.ts'
import { publishState } from '#worker/domain/live/publish.ts'
import { paidStepWriter } from '#worker/domain/quota/spend-ai.ts'
import { type CurrentRun, needsCaptionPlan } from '#worker/domain/run/run-store.ts'
import { findSection, type SectionRow, storeWritten } from '#worker/domain/run/section-store.ts'
import type { Task } from '#worker/domain/run/task-store.ts'
import { extractiveStepWriter } from '#worker/domain/step/extractive/extractive-step-writer.ts'
import { WINDOW_AFTER_SEGMENTS, WINDOW_BEFORE_MS, writeSection } from '#worker/domain/step/write-section.ts'
import { readSections, readTranscript } from '#worker/domain/transcript/transcript-store.ts'
import { AppError } from '#worker/errors.ts'
import type { StepWindow, StepWriter } from '#worker/ports/language-model.ts'
import { finishRun, planCaptions, showSection } from './advance-run.ts'
import type { Attempt } from './tasks.ts'

/**
 * Failures after which, and for how long, a model that is busy is waited for; then the extractive engine writes the
 * section, since a draft that can be followed now is worth more than a better step in an hour.
 */
const MODEL_ATTEMPTS = 3
const MODEL_BUSY_MS = 15_000

/** Writes the steps of one section, shows them, and ends the run with the last one. */
export async function writeSteps(task: Task, context: ServedContext, attempt: Attempt): Promise<void> {
  const current = await attempt.findCurrent()
  const section = await findSection(context.db, task, task.index)
  if (current === null || section === null) return
  if (needsCaptionPlan(current)) return planCaptions(context, task)
  const answer = await writeSection(openWriter(context, current), await openWindow(context, current, section), {
    signal: attempt.signal,
    // A model with which each worker died is not asked for ever.
    isGivenUp: task.attempts > MODEL_ATTEMPTS,
    isWorthWaiting: (error) => isBusy(error) && isWorthWaiting(task, context.nowMs()),
  })
  const written = await storeWritten(context.db, current, { task, section: section, answer, nowMs: context.nowMs() })
  if (written === null) return
  const { run } = written
  if (run.sectionCount !== null && run.writtenSections >= run.sectionCount) return finishRun(context, run)
  const module = (await showSection(context, written, section.section)) ?? written.module
  await publishState(context.rooms, module)
}

function isWorthWaiting({ attempts, busySince }: Task, nowMs: number): boolean {
  return attempts < MODEL_ATTEMPTS && (busySince === null || nowMs - busySince < MODEL_BUSY_MS)
}

/** The extractive engine costs nothing. */
function openWriter(context: ServedContext, { module }: CurrentRun): StepWriter {
  const { stepWriter } = context.services
  return stepWriter === extractiveStepWriter ? stepWriter : paidStepWriter(context, module, stepWriter)
}

/** The model would answer later; nonsense, a quota or a wrong key stay what they are. */
function isBusy(error: unknown): boolean {
  return error instanceof AppError && (error.code === 'ai_busy' || error.code === 'ai_timeout')
}

/** All sections but the first three have a minute at least, so these have all that a writer may look back on. */
const SECTIONS_BEFORE = 3 + WINDOW_BEFORE_MS / 60_000

async function openWindow(
  context: ServedContext,
  { module, run }: CurrentRun,
  { section, fromPosition, toPosition }: SectionRow,
): Promise<StepWindow> {
  const isCaptioned = module.transcriptSource === 'captions'
  const known = isCaptioned
    ? (await readTranscript(context, module)).segments
    : // The next section may be formed or not by now, and what is written must not depend on that.
      await readSections(context.db, run, { first: section - SECTIONS_BEFORE, last: section })
  const segments = known.filter(({ position }) => position >= fromPosition && position < toPosition)
  const fromMs = (segments[0]?.startMs ?? 0) - WINDOW_BEFORE_MS
  const before = known.filter(({ position, startMs }) => position < fromPosition && startMs >= fromMs)
  const { title: moduleTitle, language, glossary, durationMs } = module
  const window = { moduleTitle, language, glossary, durationMs, before, segments }
  if (!isCaptioned) return window
  const afterTo = toPosition + WINDOW_AFTER_SEGMENTS
  return { ...window, after: known.filter(({ position }) => position >= toPosition && position < afterTo) }
}
