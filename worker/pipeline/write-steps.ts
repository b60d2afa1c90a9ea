import type { Context, ServedContext } from '#worker/core/context.ts'
import { AppError, faultOf } from '#worker/core/errors.ts'
import { publishState } from '#worker/domain/live/publish.ts'
import type { ModuleRow } from '#worker/domain/module/module-store.ts'
import { paidStepWriter } from '#worker/domain/quota/spend-ai.ts'
import { settleOutline } from '#worker/domain/run/outline-store.ts'
import { type CurrentRun, isWritten, needsCaptionPlan } from '#worker/domain/run/run-store.ts'
import type { RunTask } from '#worker/domain/run/run-subject.ts'
import { settleRunTask } from '#worker/domain/run/run-task-store.ts'
import {
  findSection,
  listSectionsBetween,
  readSectionSteps,
  type SectionAnswer,
  type SectionRow,
  showRunSteps,
  storeWritten,
} from '#worker/domain/run/section-store.ts'
import { findDoneReading } from '#worker/domain/screen/apply-reading.ts'
import { listNamed } from '#worker/domain/screen/visible-labels.ts'
import { composeSteps } from '#worker/domain/step/compose-steps.ts'
import { extractiveStepWriter } from '#worker/domain/step/extractive/extractive-step-writer.ts'
import { groundTitles } from '#worker/domain/step/ground-titles.ts'
import { askOutline, OUTLINED_MIN_STEPS } from '#worker/domain/step/outline-steps.ts'
import type { Outlined } from '#worker/domain/step/outlined.ts'
import { WINDOW_AFTER_SEGMENTS, WINDOW_BEFORE_MS } from '#worker/domain/step/plan-sections.ts'
import { type StepToStore, tidySection } from '#worker/domain/step/tidy-section.ts'
import { clearUnsureTitles, markUnsureWords } from '#worker/domain/step/unsure-words.ts'
import { keepSpoken } from '#worker/domain/transcript/sound-marks.ts'
import { readCaptionSegments, readSections } from '#worker/domain/transcript/transcript-store.ts'
import { readSpokenWords } from '#worker/domain/translation/glossary-store.ts'
import { logLine } from '#worker/log/log.ts'
import type { StepDraft, StepWindow, StepWriter } from '#worker/ports/language-model.ts'
import { isOnlyWaiting } from '#worker/tasks/retry.ts'
import { finishRun, planCaptions, readWritten, toComposed } from './advance-run.ts'
import type { RunAttempt } from './run-attempt.ts'

/**
 * Limits of waiting for a busy model, as a number of failures and as a time. Then the extractive engine writes the
 * section, since a draft that learners can follow now is worth more than a better step in an hour.
 */
const MODEL_ATTEMPTS = 3
const MODEL_BUSY_MS = 15_000

/**
 * Writes the steps of one section, shows them, and ends the run with the last one. The task behind those of all sections
 * outlines what they have written.
 */
export async function writeSteps(task: RunTask, context: ServedContext, attempt: RunAttempt): Promise<void> {
  const current = await attempt.findCurrent()
  const section = await findSection(context.db, task, task.index)
  if (current === null) return
  if (needsCaptionPlan(current)) return planCaptions(context, task)
  const writer = openWriter(context, current)
  const how = {
    signal: attempt.signal,
    // A model call during which every worker died is given up instead of being repeated for ever.
    isGivenUp: task.attempts > MODEL_ATTEMPTS,
    isWorthWaiting: (error: unknown) => isWorthWaiting(task, error, context.nowMs()),
  }
  if (task.index === current.run.sectionCount) {
    const { steps } = await readWritten(context, current)
    const entries = await makeOutline(context, current, { ...how, writer, steps })
    const isSettled = await settleOutline(context.db, current, { task, entries, nowMs: context.nowMs() })
    return isSettled ? finishRun(context, current.run) : undefined
  }
  if (section === null) return
  if (section.status === 'written') return void (await settleRunTask(context.db, task))
  const window = await openWindow(context, current, section)
  // Our own engine learns the grain from the narration before.
  const titles = writer === extractiveStepWriter ? [] : await listTitlesBefore(context, section)
  const screen = writer === extractiveStepWriter ? [] : await listNamedIn(context, current, window)
  const answer = await writeSection(writer, { ...window, titles, screen }, how)
  const isOutlined = writer.outline !== undefined && !answer.isDraft && answer.steps.length > 0
  const written = await storeWritten(context.db, current, { task, section, answer, isOutlined, nowMs: context.nowMs() })
  if (written === null) return
  const { run } = written
  const isLast = isWritten(run)
  if (isLast && run.outline !== '') return finishRun(context, run)
  const module = (await showSection(context, written, section.section)) ?? written.module
  await publishState(context.rooms, module)
  if (isLast) await finishRun(context, run)
}

/** How a writer is asked. */
interface WriteOptions {
  signal: AbortSignal
  /** Whether the model is not called any more: the extractive engine writes the section, and there is no outline. */
  isGivenUp: boolean
  /** Whether a failure of the writer is thrown, so that the task is retried later. */
  isWorthWaiting: (error: unknown) => boolean
}

/** Drafts with the titles that are of what was said. @throws {AppError} where the answer is of no use */
function groundDrafts(drafts: readonly StepDraft[], window: StepWindow): StepDraft[] {
  const { moduleTitle, glossary, before, segments, after = [], screen = [] } = window
  const said = [...before, ...segments, ...after].map(({ text }) => text)
  return groundTitles(drafts, [moduleTitle, glossary ?? '', ...screen, ...said])
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
  if (window.segments.length === 0) return { steps: [], isDraft: false }
  try {
    if (isGivenUp) throw new AppError('ai_failed', 'The step writer was given up.')
    const written = await writer.writeSteps(window, signal)
    const drafts = writer === extractiveStepWriter ? written : groundDrafts(written, window)
    return { steps: tidySection({ ...window, drafts }), isDraft: false }
  } catch (error) {
    if (writer === extractiveStepWriter || signal.aborted || isWorthWaiting(error)) throw error
    logLine('warn', 'step_writer_failed', { model: writer.name, ...faultOf(error) })
    const drafts = await extractiveStepWriter.writeSteps(window, signal)
    return { steps: tidySection({ ...window, drafts }), isDraft: true }
  }
}

function isWorthWaiting(task: RunTask, error: unknown, nowMs: number): boolean {
  // An error of another kind comes from the database that counts a call's cost, not from the model.
  if (!(error instanceof AppError)) return true
  const { attempts, busySince } = task
  if (isOnlyWaiting(error, task, nowMs)) return true
  return isBusy(error) && attempts < MODEL_ATTEMPTS && (busySince === null || nowMs - busySince < MODEL_BUSY_MS)
}

/** Opens the step writer. The extractive engine costs nothing, so it is not counted. */
function openWriter(context: ServedContext, { module }: CurrentRun): StepWriter {
  const { stepWriter } = context.services
  return stepWriter === extractiveStepWriter ? stepWriter : paidStepWriter(context, module, stepWriter)
}

/** Whether the model would answer later; a useless answer, a quota or a wrong key would not change. */
function isBusy(error: unknown): boolean {
  return error instanceof AppError && (error.code === 'ai_busy' || error.code === 'ai_timeout')
}

/** What is outlined, and by which writer. */
interface OutlineOptions extends WriteOptions {
  writer: StepWriter
  /** Steps of the whole video before it is outlined. */
  steps: readonly StepToStore[]
}

/**
 * Has the steps of a whole video outlined; a writer that fails gives no entries.
 * @throws the reason of the signal when it is aborted, and what is worth waiting for
 */
async function makeOutline(
  context: Context,
  { module, run }: CurrentRun,
  options: OutlineOptions,
): Promise<Outlined[]> {
  const { writer, steps, signal, isGivenUp, isWorthWaiting } = options
  const { outline } = writer
  if (outline === undefined || isGivenUp || steps.length < OUTLINED_MIN_STEPS) return []
  const { title: moduleTitle, durationMs, language, captionsKey } = module
  try {
    const glossary = await readSpokenWords(context.db, module)
    const isCaptioned = captionsKey !== null
    const segments = isCaptioned
      ? keepSpoken(await readCaptionSegments(context, module))
      : await readSections(context.db, run)
    const entries = await askOutline({ outline }, { moduleTitle, durationMs, language, steps, segments }, signal)
    // Captions have no words that the recogniser was unsure of.
    return isCaptioned ? entries : clearUnsureTitles(entries, markUnsureWords(segments, [moduleTitle, glossary ?? '']))
  } catch (error) {
    // A model that timed out would do so again, and the steps can be shown without an outline.
    const isSlow = error instanceof AppError && error.code === 'ai_timeout'
    if (signal.aborted || (!isSlow && isWorthWaiting(error))) throw error
    logLine('warn', 'outline_failed', { model: writer.name, ...faultOf(error) })
    return []
  }
}

/** A continuing step joins earlier ones up to five minutes back, and a section has half a minute at least. */
const NEIGHBOURS = 12

/**
 * Shows the steps of a section that has just been written, and what its arrival changes beside it.
 * @returns the module with its new version of the steps; null when nothing is to be shown
 */
async function showSection(context: Context, { module, run }: CurrentRun, section: number): Promise<ModuleRow | null> {
  if (!run.isLive) return null
  const from = Math.max(0, section - NEIGHBOURS)
  const to = section + NEIGHBOURS
  const rows = await listSectionsBetween(context.db, run, from, to)
  const steps = composeSteps({
    run: run.run,
    durationMs: module.durationMs,
    from,
    sections: rows.map(toComposed),
    isComplete: false,
    isCutOff: rows.at(-1)?.section === to,
  })
  const stepsVersion = steps.length === 0 ? null : await showRunSteps(context.d1, run, steps)
  return stepsVersion === null ? null : { ...module, stepsVersion }
}

/** All sections but the first three have a minute at least, so these have all that a writer may look back on. */
const SECTIONS_BEFORE = 3 + WINDOW_BEFORE_MS / 60_000

/** Reads what a section is written from. */
async function openWindow(
  context: Context,
  { module, run }: CurrentRun,
  { section, fromPosition, toPosition }: SectionRow,
): Promise<StepWindow> {
  const isCaptioned = module.captionsKey !== null
  const { title: moduleTitle, language, durationMs } = module
  const glossary = await readSpokenWords(context.db, module)
  const transcript = isCaptioned
    ? keepSpoken(await readCaptionSegments(context, module))
    : // The next section may be formed or not by now, and what is written must not depend on that.
      await readSections(context.db, run, { first: section - SECTIONS_BEFORE, last: section })
  const markedSegments = markUnsureWords(transcript, [moduleTitle, glossary ?? ''])
  const segments = markedSegments.filter(({ position }) => position >= fromPosition && position < toPosition)
  const fromMs = (segments[0]?.startMs ?? 0) - WINDOW_BEFORE_MS
  const before = markedSegments.filter(({ position, startMs }) => position < fromPosition && startMs >= fromMs)
  const window = { moduleTitle, language, glossary, durationMs, before, segments }
  if (!isCaptioned) return window
  const afterTo = toPosition + WINDOW_AFTER_SEGMENTS
  return { ...window, after: markedSegments.filter(({ position }) => position >= toPosition && position < afterTo) }
}

/** Lists what the video shows while a section is said; nothing where its screen has not been read. */
async function listNamedIn(context: Context, { module }: CurrentRun, { segments }: StepWindow): Promise<string[]> {
  const reading = await findDoneReading(context, module)
  const range = { startMs: segments[0]?.startMs ?? 0, endMs: segments.at(-1)?.endMs ?? 0 }
  return reading === null ? [] : listNamed(reading.blocks, range)
}

/**
 * Lists the titles of the steps before a section, as far as written: other sections are being written at the same time.
 */
async function listTitlesBefore({ db }: Context, { section, ...id }: SectionRow): Promise<string[]> {
  if (section === 0) return []
  const rows = await listSectionsBetween(db, id, section - SECTIONS_BEFORE, section - 1)
  return rows.flatMap((row) =>
    (readSectionSteps(row) ?? []).filter((step) => !step.isFraming && step.title !== '').map(({ title }) => title),
  )
}
