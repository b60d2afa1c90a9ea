import { isSilent } from '#contract/module.ts'
import type { Context } from '#worker/core/context.ts'
import { updateUsedImages } from '#worker/domain/image/image-store.ts'
import { publishModule } from '#worker/domain/live/publish.ts'
import { findModule } from '#worker/domain/module/module-store.ts'
import { countTranscribedBetween, listChunksBetween, readWords } from '#worker/domain/run/chunk-store.ts'
import type { RunId } from '#worker/domain/run/fence.ts'
import { addOutlineTask, readOutlined } from '#worker/domain/run/outline-store.ts'
import {
  awaitsVideo,
  type CurrentRun,
  findCurrentRun,
  isWritten,
  needsCaptionPlan,
  PROGRESS_WRITTEN,
  type RunRow,
  reportRun,
  updateReport,
} from '#worker/domain/run/run-store.ts'
import {
  commitRunSteps,
  findSection,
  listSections,
  planSectionsOf,
  proposeRunSteps,
  type RunEnd,
  readSectionSteps,
  type SectionRow,
  storeSection,
  storeWritten,
} from '#worker/domain/run/section-store.ts'
import { failRun, type RunFailure, settleRun } from '#worker/domain/run/start-run.ts'
import { forgetShareSoon } from '#worker/domain/share/forget-share.ts'
import { composeSteps, limitBeside } from '#worker/domain/step/compose-steps.ts'
import { isSameStep } from '#worker/domain/step/match-proposals.ts'
import { type Outlined, outlineSteps } from '#worker/domain/step/outline-steps.ts'
import { planSections } from '#worker/domain/step/plan-sections.ts'
import { quoteCorrected } from '#worker/domain/step/requote.ts'
import { isTouched, listDismissed, listSteps } from '#worker/domain/step/step-store.ts'
import type { StepToStore } from '#worker/domain/step/tidy-section.ts'
import { formSection, planFormation } from '#worker/domain/transcript/form-section.ts'
import { rateTranscription } from '#worker/domain/transcript/rate-transcription.ts'
import {
  CAPTIONS_RUN,
  putTranscript,
  readCaptionSegments,
  readSections,
  removeTranscript,
} from '#worker/domain/transcript/transcript-store.ts'
import { ring } from '#worker/tasks/ring.ts'

/**
 * Does what stands between the tasks of a run: forms every section whose chunks are transcribed, in order, each with the
 * task of writing its steps, and ends the run when all are written. Any number of callers may do so at the same time,
 * for each section is stored once; the watchdog does, where a stage broke off before it.
 * @param committedRun the run that a commit has just returned, which saves a query
 * @returns the run as it is then; null when it has ended
 */
export async function advanceRun(context: Context, id: RunId, committedRun?: CurrentRun): Promise<CurrentRun | null> {
  let fresh = committedRun
  for (let isFenced = false; ; ) {
    const current = fresh ?? (await findCurrentRun(context, id))
    fresh = undefined
    // No section of the audio is stored any more: going on would never end. The task that reads the video's length plans
    // the captions where it is not known yet.
    if (current !== null && needsCaptionPlan(current)) {
      if (current.module.durationMs !== null) await planCaptions(context, id)
    } else if (current !== null && !isFenced && (await isNextTranscribed(context, current))) {
      if (await failIfUseless(context, current)) return null
      // The caller that stored the section looks for the next one as well, at all that is transcribed by then. If both
      // went on, each chunk of a long video would form every section again.
      isFenced = !(await formNext(context, current))
      continue
    }
    if (current === null || !isWritten(current.run)) return current
    // The outline is made while the rest of the video is on its way.
    if (awaitsVideo(current.run) && current.run.outline !== '') return current
    await finishRun(context, id)
    return findCurrentRun(context, id)
  }
}

/**
 * Checks whether transcribing this chunk can complete a run's next section. Otherwise nothing is to be done: a section
 * that becomes the next one later is formed by the caller that formed the one before it.
 */
export function canAdvance({ run, module }: CurrentRun, chunkIndex: number): boolean {
  const needed = neededChunks(run)
  if (needed === null) return false
  const endsWait = module.language === null && run.transcribedCount === countUntilSettled(run)
  return endsWait || (chunkIndex >= needed.first && chunkIndex <= needed.last)
}

/**
 * So many transcribed chunks a section waits for that is in several languages while none is settled: of five chunks with
 * speech three agree unless there are three languages.
 */
const SETTLED_AFTER = 6

function countUntilSettled({ chunkCount }: RunRow): number {
  return Math.min(chunkCount ?? SETTLED_AFTER, SETTLED_AFTER)
}

/** The chunks that a run's next section is formed from. Null after the last one. */
function neededChunks({ formedSections, sectionCount, chunkCount }: RunRow) {
  if (sectionCount !== null) return null
  const { firstNeeded: first, lastNeeded: last, isLast } = planFormation(formedSections, chunkCount)
  return { first, last, isLast }
}

async function isNextTranscribed(context: Context, { run, module }: CurrentRun): Promise<boolean> {
  const needed = neededChunks(run)
  // Without audio nothing comes that could end the run.
  if (needed !== null && run.chunkCount === 0) return true
  if (needed === null || run.transcribedCount === 0) return false
  const { first, last, isLast } = needed
  // What ends the run is judged by all chunks, so its sums have to be whole.
  if (isLast && run.transcribedCount <= last) return false
  const { chunks, languages } = await countTranscribedBetween(context.db, run, first, last)
  if (chunks < last - first + 1) return false
  // What is in another language than the rest is about to be transcribed again.
  return languages < 2 || module.language !== null || run.transcribedCount >= countUntilSettled(run)
}

/** @returns false when another caller stored the section first */
async function formNext(context: Context, current: CurrentRun): Promise<boolean> {
  const { run } = current
  const { formedSections: section } = run
  const { first = 0, last = 0, isLast = false } = neededChunks(run) ?? {}
  const rows = await listChunksBetween(context.db, run, first, last)
  const lastOwn = isLast ? rows.at(-1) : rows.at(-2)
  const formed = formSection({
    chunks: rows.map((row) => ({ ...row, words: readWords(row) })),
    fromMs: run.formedUntilMs,
    boundaryMs: isLast ? null : (rows.at(-1)?.startMs ?? null),
    lastChunkMs: lastOwn?.startMs ?? 0,
  })
  const sectionFields = { section, fromPosition: run.formedSegments, isLast, nowMs: context.nowMs() }
  if (!(await storeSection(context.d1, run, { ...sectionFields, ...formed }))) return false
  if (formed.segments.length > 0) await ring(context, 'write_steps')
  else await skipSilence(context, current, section)
  return true
}

/** A section without speech has no steps. */
async function skipSilence(context: Context, current: CurrentRun, section: number): Promise<void> {
  const row = await findSection(context.db, current.run, section)
  const answer = { steps: [], isDraft: false }
  if (row !== null)
    await storeWritten(context.db, current, { task: null, section: row, answer, nowMs: context.nowMs() })
}

/**
 * Fails a run when the transcript shows that continuing is useless. Depends on the sums alone, so it says the same on every
 * caller the same. A silent video waits a while for the scenes that its owner's browser sees.
 * @returns whether it was of no use
 */
export async function failIfUseless(context: Context, current: CurrentRun): Promise<boolean> {
  const { run } = current
  const isComplete = run.chunkCount !== null && run.transcribedCount >= run.chunkCount
  const verdict = run.chunkCount === 0 ? 'no_audio' : rateTranscription(run, { isComplete })
  if (verdict === 'understood' || verdict === 'undecided') return false
  const failure: RunFailure = { code: verdict, reason: REASONS[verdict] }
  if (isSilent(verdict) && mayGetScenes(current)) await awaitScenes(context, current, failure)
  else await failRun(context, run, failure)
  return true
}

/** Checks of the watchdog, ten seconds apart, for which a run waits. Scenes that come later are still taken. */
export const SCENES_CHECKS = 12

/** Whether a browser that can draw the video has just sent it, since a poster has come from there. */
function mayGetScenes({ run, module }: CurrentRun): boolean {
  const isJustSent = run.trigger === 'upload' || run.trigger === 'recut'
  return isJustSent && module.hasPoster && !awaitsVideo(run) && module.redrives < SCENES_CHECKS
}

/** The watchdog counts its checks from the first report on. */
async function awaitScenes(context: Context, { run, module }: CurrentRun, failure: RunFailure): Promise<void> {
  if (module.failureCode !== null) return
  const message = 'There is no speech. Looking for scene changes'
  const report = { failureCode: failure.code, lastError: failure.reason, message } as const
  if (await reportRun(context.db, { ...run, nowMs: context.nowMs() }, report)) await publishModule(context, module.id)
}

/** Plans all sections of a captioned module at once, with their tasks; nothing is transcribed. Once per run. */
export async function planCaptions(context: Context, id: RunId): Promise<void> {
  const module = await findModule(context.db, id.moduleId)
  if (module === null || module.captionsKey === null) return
  const { captionsKey } = module
  const segments = await readCaptionSegments(context, module)
  const lengths = planSections(segments).map((section) => section.length)
  let position = 0
  const planned = lengths.map((length) => {
    const fromPosition = position
    position += length
    return { fromPosition, toPosition: position }
  })
  if (!(await planSectionsOf(context.d1, id, { captionsKey, planned, nowMs: context.nowMs() }))) return
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
  if (!isWritten(run)) return false
  // Both the task of the outline and the one that compares the audio with the video come back.
  if (awaitsVideo(run)) await publishModule(context, run.moduleId)
  if (run.outline !== '') return !awaitsVideo(run)
  if (await addOutlineTask(context.d1, run, context.nowMs())) await ring(context, 'write_steps')
  return false
}

/** Reads all sections of a run and the steps that they make, as they are without an outline. */
export async function readWritten(context: Context, { run, module: { durationMs } }: CurrentRun) {
  const sections = (await listSections(context.db, run)).slice(0, run.sectionCount ?? 0)
  const composed = sections.map(toComposed)
  return { sections, steps: composeSteps({ run: run.run, durationMs, sections: composed, isComplete: true }) }
}

/** @returns false when the steps or the transcript have changed meanwhile */
async function endOnce(context: Context, current: CurrentRun): Promise<boolean> {
  const { run, module } = current
  const id = { moduleId: run.moduleId, run: run.run }
  const runAndTime = { ...id, nowMs: context.nowMs() }
  if (!(await reportRun(context.db, runAndTime, { progress: PROGRESS_WRITTEN, message: 'Saving the steps' })))
    return true
  const { sections, steps } = await readWritten(context, current)
  const { captionsKey } = module
  if (steps.length === 0) {
    const silent: RunFailure = { code: 'no_narration', reason: REASONS.no_narration }
    await failRun(context, id, captionsKey === null ? silent : CAPTIONS_ELSEWHERE)
    return true
  }
  const entries = run.outline === null ? [] : readOutlined(run.outline)
  const end = {
    ...runAndTime,
    basedOn: {
      captionsKey,
      // A step that a person changes meanwhile must not have become part of an entry.
      stepsVersion: run.isLive && entries.length === 0 ? null : module.stepsVersion,
    },
    transcript:
      captionsKey === null
        ? await storeTranscript(context, id, sections)
        : { key: captionsKey, segmentCount: sections.at(-1)?.toPosition ?? 0 },
  }
  const isEnded = await commitSteps(context, current, { end, steps, entries })
  // Those of later captions stay in the bucket under another name than the transcripts of runs.
  if (isEnded && module.transcriptRun === CAPTIONS_RUN && module.transcriptKey !== end.transcript.key)
    await removeTranscript(context.bucket, module.id, module.transcriptKey ?? '')
  if (isEnded) await settleRun(context, id)
  if (isEnded) await updateUsedImages(context.d1, id.moduleId, context.nowMs())
  if (isEnded) await forgetShareSoon(context, id.moduleId)
  if (isEnded && module.languages.length > 0) await ring(context, 'translate')
  return isEnded
}

/** Swaps steps that no person has changed since they were made; beside others, the new ones are offered. */
async function commitSteps(
  context: Context,
  current: CurrentRun,
  { end, steps, entries }: { end: RunEnd; steps: StepToStore[]; entries: readonly Outlined[] },
): Promise<boolean> {
  const { run, module } = current
  const listedSteps = await listSteps(context.db, module.id)
  const outline = (ids: string[]) => (entries.length === 0 ? steps : outlineSteps(steps, entries, ids))
  if (!run.isLive && module.editedVersion > module.madeVersion) {
    const offered = await quoteLines(context, current, outline([]))
    const isNew = (step: StepToStore) => !listedSteps.some((each) => isSameStep(step, each))
    return proposeRunSteps(context.d1, end, offered.filter(isNew))
  }
  const touched = listedSteps.filter(isTouched).map(({ id }) => id)
  const keptIds = entries.length === 0 ? touched : [...touched, ...(await listDismissed(context.db, module.id))]
  const listed = limitBeside(outline(keptIds), touched)
  return commitRunSteps(context.d1, end, await quoteLines(context, current, listed))
}

async function storeTranscript({ bucket }: Context, id: RunId, sections: readonly SectionRow[]) {
  const segments = sections.flatMap((section) => section.segments ?? [])
  return { key: await putTranscript(bucket, id, segments), segmentCount: segments.length }
}

/** A run that a person asked for may go on with sections that were written before their lines were corrected. */
async function quoteLines(context: Context, { module, run }: CurrentRun, steps: StepToStore[]): Promise<StepToStore[]> {
  if (run.trigger !== 'reprocess') return steps
  const isCaptioned = module.captionsKey !== null
  const lines = isCaptioned ? await readCaptionSegments(context, module) : await readSections(context.db, run)
  return quoteCorrected(steps, lines)
}

/** A section as it is composed with others. */
export function toComposed(row: SectionRow) {
  return { steps: readSectionSteps(row), isDraft: row.isDraft }
}

const CAPTIONS_ELSEWHERE: RunFailure = {
  code: 'captions_elsewhere',
  reason:
    'None of the captions lie inside this video, so the file may belong to another one. Add the right caption file.',
}

/** Why a run of no use ends, as its owner reads it. */
export const REASONS = {
  no_audio:
    'This video has no audio, so there is no narration to make steps from. Add a caption file (.vtt or .srt) with what to do, or add the steps by hand.',
  not_understood:
    'The narration could not be understood well enough to make steps from it. Add a caption file (.vtt or .srt) and we will use that instead.',
  no_narration:
    'No speech was found in this video, so there is nothing to make steps from. Add a caption file (.vtt or .srt) with what to do, or add the steps by hand.',
} as const
