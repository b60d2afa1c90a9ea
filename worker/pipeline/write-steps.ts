import type { Context, ServedContext } from '#worker/context.ts'
import { publishModule, publishState } from '#worker/domain/live/publish.ts'
import { findModule, type ModuleRow } from '#worker/domain/module/module-store.ts'
import { paidStepWriter } from '#worker/domain/quota/spend-ai.ts'
import {
  commitRunSteps,
  findSection,
  listSections,
  listSectionsBetween,
  planSectionsOf,
  proposeRunSteps,
  readSectionSteps,
  type SectionAnswer,
  type SectionRow,
  showRunSteps,
  storeWritten,
} from '#worker/domain/run/run-step-store.ts'
import {
  awaitsVideo,
  type CurrentRun,
  findCurrentRun,
  needsCaptionPlan,
  PROGRESS_WRITTEN,
  reportRun,
  updateReport,
} from '#worker/domain/run/run-store.ts'
import { failRun, settleRun } from '#worker/domain/run/start-run.ts'
import { type RunId, ring, type Task } from '#worker/domain/run/task-store.ts'
import { composeSteps, limitBeside } from '#worker/domain/step/compose-steps.ts'
import { quoteCorrected } from '#worker/domain/step/correct-transcript.ts'
import { extractiveStepWriter } from '#worker/domain/step/extractive/extractive-step-writer.ts'
import { planSections, WINDOW_AFTER_SEGMENTS, WINDOW_BEFORE_MS } from '#worker/domain/step/plan-sections.ts'
import { listTouchedIds } from '#worker/domain/step/step-store.ts'
import { type StepToStore, tidySection } from '#worker/domain/step/tidy-section.ts'
import { putTranscript, readSections, readTranscript } from '#worker/domain/transcript/transcript-store.ts'
import { AppError, faultOf } from '#worker/errors.ts'
import { logLine } from '#worker/log/log.ts'
import type { StepWindow, StepWriter } from '#worker/ports/language-model.ts'
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
  if (window.segments.length === 0) return { steps: [], isDraft: false }
  try {
    if (isGivenUp) throw new AppError('ai_failed', 'The step writer was given up.')
    return { steps: tidySection({ ...window, drafts: await writer.writeSteps(window, signal) }), isDraft: false }
  } catch (error) {
    if (writer === extractiveStepWriter || signal.aborted || isWorthWaiting(error)) throw error
    logLine('warn', 'step_writer_failed', { model: writer.name, ...faultOf(error) })
    const drafts = await extractiveStepWriter.writeSteps(window, signal)
    return { steps: tidySection({ ...window, drafts }), isDraft: true }
  }
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

/** Plans all sections of a captioned module at once, with their tasks; nothing is transcribed. Once per run. */
export async function planCaptions(context: Context, id: RunId): Promise<void> {
  const module = await findModule(context.db, id.moduleId)
  if (module === null) return
  const { segments } = await readTranscript(context, module)
  const lengths = planSections(segments).map((section) => section.length)
  let position = 0
  const planned = lengths.map((length) => {
    const fromPosition = position
    position += length
    return { fromPosition, toPosition: position }
  })
  if (!(await planSectionsOf(context.d1, id, { planned, nowMs: context.nowMs() }))) return
  const current = await findCurrentRun(context, id)
  if (current === null) return
  await updateReport(context.db, current, context.nowMs())
  if (planned.length > 0) await ring(context, 'write_steps')
  else await finishRun(context, id)
}

/**
 * Ends a run whose sections are all written, and whose audio is known to be the video's: stores its transcript, joins
 * its steps and commits both together with READY, in one transaction. Any number of callers may try; one of them does it.
 */
export async function finishRun(context: Context, id: RunId): Promise<void> {
  const current = await findCurrentRun(context, id)
  if (current === null) return
  const { run, module } = current
  // Steps of the audio do not go with captions that have come since.
  if (needsCaptionPlan(current)) return
  if (run.sectionCount === null || run.writtenSections < run.sectionCount) return
  // The task that compares the audio with the video comes back.
  if (awaitsVideo(run)) return publishModule(context, id.moduleId)
  const at = { moduleId: run.moduleId, run: run.run, nowMs: context.nowMs() }
  if (!(await reportRun(context.db, at, { progress: PROGRESS_WRITTEN, message: 'Saving the steps' }))) return
  const sections = (await listSections(context.db, id)).slice(0, run.sectionCount)
  const composed = sections.map(toComposed)
  const steps = composeSteps({ run: id.run, durationMs: module.durationMs, sections: composed, isComplete: true })
  const isCaptioned = module.transcriptSource === 'captions'
  if (steps.length === 0) {
    const reason = isCaptioned ? CAPTIONS_ELSEWHERE : REASONS.no_narration
    return failRun(context, id, { code: 'no_narration', reason })
  }
  const touched = await listTouchedIds(context.db, id.moduleId)
  const isBeside = !run.isLive && touched.length > 0
  const written = await quoteLines(context, current, isBeside ? steps : limitBeside(steps, touched))
  const end = {
    ...at,
    basedOn: module.transcriptKey,
    transcript: isCaptioned ? null : await storeTranscript(context, id, sections),
  }
  const isEnded = await (isBeside ? proposeRunSteps : commitRunSteps)(context.d1, end, written)
  if (isEnded) await settleRun(context, id)
}

async function storeTranscript({ bucket }: Context, id: RunId, sections: readonly SectionRow[]) {
  const segments = sections.flatMap((section) => section.segments ?? [])
  return { key: await putTranscript(bucket, id, segments), segmentCount: segments.length }
}

/** A run that a person asked for may go on with sections that were written before their lines were corrected. */
async function quoteLines(context: Context, { module, run }: CurrentRun, steps: StepToStore[]): Promise<StepToStore[]> {
  if (run.trigger !== 'reprocess') return steps
  const isCaptioned = module.transcriptSource === 'captions'
  const lines = isCaptioned ? (await readTranscript(context, module)).segments : await readSections(context.db, run)
  return quoteCorrected(steps, lines)
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

function toComposed(row: SectionRow) {
  return { steps: readSectionSteps(row), isDraft: row.isDraft }
}

const CAPTIONS_ELSEWHERE =
  'None of the captions lie inside this video, so the file may belong to another one. Add the right caption file.'

/** Why a run of no use ends, as its owner reads it. */
export const REASONS = {
  not_understood:
    'The narration could not be understood well enough to make steps from it. Add a caption file (.vtt or .srt) and we will use that instead.',
  no_narration:
    'Nobody seems to speak in this video, so there is nothing to make steps from. Add a caption file (.vtt or .srt) with what to do, or add the steps by hand.',
} as const
