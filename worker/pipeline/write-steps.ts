import type { Context, ServedContext } from '#worker/context.ts'
import { publishModule, publishState } from '#worker/domain/live/publish.ts'
import { findModule, type ModuleRow } from '#worker/domain/module/module-store.ts'
import { paidStepWriter } from '#worker/domain/quota/spend-ai.ts'
import { addOutlineTask, readOutlined } from '#worker/domain/run/outline-store.ts'
import {
  commitRunSteps,
  findSection,
  listSections,
  listSectionsBetween,
  planSectionsOf,
  proposeRunSteps,
  type RunEnd,
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
import { forgetShareSoon } from '#worker/domain/share/forget-share.ts'
import { composeSteps, limitBeside } from '#worker/domain/step/compose-steps.ts'
import { quoteCorrected } from '#worker/domain/step/correct-transcript.ts'
import { extractiveStepWriter } from '#worker/domain/step/extractive/extractive-step-writer.ts'
import { isSameStep } from '#worker/domain/step/match-proposals.ts'
import { outlineSteps } from '#worker/domain/step/outline-steps.ts'
import { planSections } from '#worker/domain/step/plan-sections.ts'
import { isTouched, listDismissed, listSteps } from '#worker/domain/step/step-store.ts'
import { type StepToStore, tidySection } from '#worker/domain/step/tidy-section.ts'
import { putTranscript, readSections, readTranscript } from '#worker/domain/transcript/transcript-store.ts'
import { AppError, faultOf } from '#worker/errors.ts'
import { logLine } from '#worker/log/log.ts'
import type { StepWindow, StepWriter } from '#worker/ports/language-model.ts'
import { listTitlesBefore, openWindow } from './open-window.ts'
import type { Attempt } from './tasks.ts'
import { writeOutline } from './write-outline.ts'

/**
 * Failures after which, and for how long, a model that is busy is waited for; then the extractive engine writes the
 * section, since a draft that can be followed now is worth more than a better step in an hour.
 */
const MODEL_ATTEMPTS = 3
const MODEL_BUSY_MS = 15_000

/**
 * Writes the steps of one section, shows them, and ends the run with the last one. The task behind those of all sections
 * outlines what they have written.
 */
export async function writeSteps(task: Task, context: ServedContext, attempt: Attempt): Promise<void> {
  const current = await attempt.findCurrent()
  const section = await findSection(context.db, task, task.index)
  if (current === null) return
  if (needsCaptionPlan(current)) return planCaptions(context, task)
  const writer = openWriter(context, current)
  const how = {
    signal: attempt.signal,
    // A model with which each worker died is not asked for ever.
    isGivenUp: task.attempts > MODEL_ATTEMPTS,
    isWorthWaiting: (error: unknown) => isBusy(error) && isWorthWaiting(task, context.nowMs()),
  }
  if (task.index === current.run.sectionCount) {
    const { steps } = await readWritten(context, current)
    if (await writeOutline(context, task, { ...how, current, writer, steps })) await finishRun(context, current.run)
    return
  }
  if (section === null) return
  const window = await openWindow(context, current, section)
  // Our own engine learns the grain from the narration before.
  const titles = writer === extractiveStepWriter ? [] : await listTitlesBefore(context, section)
  const answer = await writeSection(writer, { ...window, titles }, how)
  const isOutlined = writer.outline !== undefined && !answer.isDraft && answer.steps.length > 0
  const written = await storeWritten(context.db, current, { task, section, answer, isOutlined, nowMs: context.nowMs() })
  if (written === null) return
  const { run } = written
  const isLast = run.sectionCount !== null && run.writtenSections >= run.sectionCount
  if (isLast && run.outline !== '') return finishRun(context, run)
  const module = (await showSection(context, written, section.section)) ?? written.module
  await publishState(context.rooms, module)
  if (isLast) await finishRun(context, run)
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
  for (let isSettled = false; !isSettled; ) {
    const current = await findCurrentRun(context, id)
    // What a person changes between the reading and the end is read then, too.
    isSettled = current === null || !(await canEnd(context, current)) || (await endOnce(context, current))
  }
}

async function canEnd(context: Context, current: CurrentRun): Promise<boolean> {
  const { run } = current
  // Steps of the audio do not go with captions that have come since.
  if (needsCaptionPlan(current)) return false
  if (run.sectionCount === null || run.writtenSections < run.sectionCount) return false
  // The task that compares the audio with the video comes back.
  if (awaitsVideo(run)) await publishModule(context, run.moduleId)
  if (awaitsVideo(run)) return false
  if (run.outline !== '') return true
  // The task of the outline comes back.
  if (await addOutlineTask(context.d1, run, context.nowMs())) await ring(context, 'write_steps')
  return false
}

/** Reads all sections of a run and the steps that they make, as they are without an outline. */
async function readWritten(context: Context, { run, module: { durationMs } }: CurrentRun) {
  const sections = (await listSections(context.db, run)).slice(0, run.sectionCount ?? 0)
  const composed = sections.map(toComposed)
  return { sections, steps: composeSteps({ run: run.run, durationMs, sections: composed, isComplete: true }) }
}

/** @returns false when the steps or the transcript have changed meanwhile */
async function endOnce(context: Context, current: CurrentRun): Promise<boolean> {
  const { run, module } = current
  const id = { moduleId: run.moduleId, run: run.run }
  const at = { ...id, nowMs: context.nowMs() }
  if (!(await reportRun(context.db, at, { progress: PROGRESS_WRITTEN, message: 'Saving the steps' }))) return true
  const { sections, steps } = await readWritten(context, current)
  const isCaptioned = module.transcriptSource === 'captions'
  if (steps.length === 0) {
    const reason = isCaptioned ? CAPTIONS_ELSEWHERE : REASONS.no_narration
    await failRun(context, id, { code: 'no_narration', reason })
    return true
  }
  const end = {
    ...at,
    basedOn: {
      transcriptKey: module.transcriptKey,
      // A step that a person changes meanwhile must not have become part of an entry.
      stepsVersion: run.isLive && readOutlined(run).length === 0 ? null : module.stepsVersion,
    },
    transcript: isCaptioned ? null : await storeTranscript(context, id, sections),
  }
  const isEnded = await commitSteps(context, current, { end, steps })
  if (isEnded) await settleRun(context, id)
  if (isEnded) await forgetShareSoon(context, id.moduleId)
  return isEnded
}

/** Swaps steps that no person has changed since they were made; beside others, the new ones are offered. */
async function commitSteps(
  context: Context,
  current: CurrentRun,
  { end, steps }: { end: RunEnd; steps: StepToStore[] },
): Promise<boolean> {
  const { run, module } = current
  const shown = await listSteps(context.db, module.id)
  const entries = readOutlined(run)
  if (!run.isLive && module.editedVersion > module.madeVersion) {
    const offered = await quoteLines(context, current, outlineSteps(steps, entries, []))
    const isNew = (step: StepToStore) => !shown.some((each) => isSameStep(step, each))
    return proposeRunSteps(context.d1, end, offered.filter(isNew))
  }
  const touched = shown.filter(isTouched).map(({ id }) => id)
  const kept = entries.length === 0 ? touched : [...touched, ...(await listDismissed(context.db, module.id))]
  const listed = limitBeside(outlineSteps(steps, entries, kept), touched)
  return commitRunSteps(context.d1, end, await quoteLines(context, current, listed))
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
