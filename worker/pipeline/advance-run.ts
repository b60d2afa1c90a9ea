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
import { applyReading, findDoneReading } from '#worker/domain/screen/apply-reading.ts'
import { screenSteps } from '#worker/domain/screen/screen-steps.ts'
import { forgetShareSoon } from '#worker/domain/share/forget-share.ts'
import { composeSteps, limitBeside } from '#worker/domain/step/compose-steps.ts'
import { isSameStep } from '#worker/domain/step/match-proposals.ts'
import { outlineSteps } from '#worker/domain/step/outline-steps.ts'
import type { Outlined } from '#worker/domain/step/outlined.ts'
import { planSections } from '#worker/domain/step/plan-sections.ts'
import { quoteCorrected } from '#worker/domain/step/requote.ts'
import { isTouched, listDismissed, listSteps } from '#worker/domain/step/step-store.ts'
import type { StepToStore } from '#worker/domain/step/tidy-section.ts'
import { formSection, planFormation } from '#worker/domain/transcript/form-section.ts'
import { hasUsablePart, rateTranscription } from '#worker/domain/transcript/rate-transcription.ts'
import {
  CAPTIONS_RUN,
  putTranscript,
  readCaptionSegments,
  readSections,
  removeTranscript,
} from '#worker/domain/transcript/transcript-store.ts'
import { ring } from '#worker/tasks/ring.ts'

/**
 * Moves a run on between its tasks: forms every section whose chunks are transcribed, in order, adds the task of
 * writing its steps, and ends the run when all sections are written. Several callers may do so at the same time,
 * because each section is stored only once. The watchdog calls it too, in case a task's worker died before this.
 * @param committedRun the run that a commit has just returned, which saves a query
 * @returns the run as it is then; null when it has ended
 */
export async function advanceRun(context: Context, id: RunId, committedRun?: CurrentRun): Promise<CurrentRun | null> {
  let fresh = committedRun
  for (let isFenced = false; ; ) {
    const current = fresh ?? (await findCurrentRun(context, id))
    fresh = undefined
    // A captioned run stores no section from audio, so forming one would repeat without end. While the video's length
    // is unknown, the task that reads it plans the captions.
    if (current !== null && needsCaptionPlan(current)) {
      if (current.module.durationMs !== null) await planCaptions(context, id)
    } else if (current !== null && !isFenced && (await isNextTranscribed(context, current))) {
      // The caller that stored the section also forms the next ones. If this caller continued as well, each chunk of a
      // long video would form every section again.
      isFenced = !(await formNext(context, current))
      continue
    }
    if (current === null || !isWritten(current.run)) return current
    // The outline is written while the rest of the video is still uploading.
    if (awaitsVideo(current.run) && current.run.outline !== '') return current
    await finishRun(context, id)
    return findCurrentRun(context, id)
  }
}

/**
 * Checks whether transcribing this chunk can complete a run's next section. A later section is formed by the caller
 * that forms the one before it.
 */
export function canAdvance({ run, module }: CurrentRun, chunkIndex: number): boolean {
  const needed = neededChunks(run)
  if (needed === null) return false
  const endsWait = module.language === null && run.transcribedCount === countUntilSettled(run)
  return endsWait || (chunkIndex >= needed.first && chunkIndex <= needed.last)
}

/**
 * Transcribed chunks that a section in several languages waits for while the module's language is not settled: of five
 * chunks with speech, three agree unless there are three languages.
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
  // A video without audio gets no transcribed chunk that could end the run later.
  if (needed !== null && run.chunkCount === 0) return true
  if (needed === null || run.transcribedCount === 0) return false
  const { first, last, isLast } = needed
  // The last section ends the run, which needs the sums of all chunks.
  if (isLast && run.transcribedCount <= last) return false
  const { chunks, languages } = await countTranscribedBetween(context.db, run, first, last)
  if (chunks < last - first + 1) return false
  // A chunk in another language than the rest is transcribed again first.
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
 * Checks of the watchdog, ten seconds apart, during which a silent run waits for scenes. Later scenes are still
 * accepted.
 */
export const SCENES_CHECKS = 12

/** Whether the browser that has just uploaded the video can find scenes: it could draw the poster. */
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
    // Steps that an owner changes between the read and the commit make the commit fail, so they are read again.
    isSettled = current === null || !(await canEnd(context, current)) || (await endOnce(context, current))
  }
}

async function canEnd(context: Context, current: CurrentRun): Promise<boolean> {
  const { run } = current
  // Captions that were uploaded meanwhile replace the audio, so steps from the audio must not be stored.
  if (needsCaptionPlan(current)) return false
  if (!isWritten(run)) return false
  // The outline task and the task that compares the audio with the video both call this again when they are done.
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
  const { sections, steps } = await readWritten(context, current)
  const failure = findFailure(current, sections, steps)
  if (failure !== null) {
    if (isSilent(failure.code) && mayGetScenes(current)) await awaitScenes(context, current, failure)
    else await failRun(context, id, failure)
    return true
  }
  if (!(await reportRun(context.db, runAndTime, { progress: PROGRESS_WRITTEN, message: 'Saving the steps' })))
    return true
  const { captionsKey } = module
  const entries = run.outline === null ? [] : readOutlined(run.outline)
  const end = {
    ...runAndTime,
    basedOn: {
      captionsKey,
      screenKey: module.screenKey,
      // An outline entry must not contain a step that an owner has changed meanwhile.
      stepsVersion: run.isLive && entries.length === 0 ? null : module.stepsVersion,
    },
    transcript:
      captionsKey === null
        ? await storeTranscript(context, id, sections)
        : { key: captionsKey, segmentCount: sections.at(-1)?.toPosition ?? 0 },
  }
  const isEnded = await commitSteps(context, current, { end, steps, entries })
  // The transcript of captions has another key than those of runs, so nothing overwrites it: it is removed here.
  if (isEnded && module.transcriptRun === CAPTIONS_RUN && module.transcriptKey !== end.transcript.key)
    await removeTranscript(context.bucket, module.id, module.transcriptKey ?? '')
  if (isEnded) await settleRun(context, id)
  // Steps that a person has changed meanwhile are not the run's, so the screen's part in them is proposed.
  if (isEnded && module.screenKey !== null) await applyReading(context, id.moduleId)
  if (isEnded) await updateUsedImages(context.d1, id.moduleId, context.nowMs())
  if (isEnded) await forgetShareSoon(context, id.moduleId)
  if (isEnded && module.languages.length > 0) await ring(context, 'translate')
  return isEnded
}

/**
 * Finds why a run that has written all that it can makes no training; null where it does. One usable part is enough. A
 * silent video waits for the scenes that its owner's browser finds.
 */
function findFailure(
  { run, module }: CurrentRun,
  sections: readonly SectionRow[],
  steps: readonly StepToStore[],
): RunFailure | null {
  if (module.captionsKey !== null) return steps.length === 0 ? CAPTIONS_ELSEWHERE : null
  const segments = sections.flatMap((section) => section.segments ?? [])
  const rating = rateTranscription(run)
  if (steps.length > 0 && (rating === 'understood' || hasUsablePart(segments))) return null
  const isNoneUnderstood = rating === 'understood' && segments.length === 0
  const unusable = isNoneUnderstood || rating === 'not_understood' ? 'not_understood' : 'no_narration'
  const code = run.chunkCount === 0 ? 'no_audio' : unusable
  return { code, reason: REASONS[code] }
}

/** Replaces the steps when no owner has changed them since they were made; otherwise the new steps become proposals. */
async function commitSteps(
  context: Context,
  current: CurrentRun,
  { end, steps, entries }: { end: RunEnd; steps: StepToStore[]; entries: readonly Outlined[] },
): Promise<boolean> {
  const { run, module } = current
  const [listedSteps, reading] = await Promise.all([listSteps(context.db, module.id), findDoneReading(context, module)])
  const screen = (list: StepToStore[]) => (reading === null ? list : screenSteps(list, reading))
  const outline = (ids: string[]) => (entries.length === 0 ? steps : outlineSteps(steps, entries, ids))
  if (!run.isLive && module.editedVersion > module.madeVersion) {
    const offered = screen(await quoteLines(context, current, outline([])))
    const isNew = (step: StepToStore) => !listedSteps.some((each) => isSameStep(step, each))
    return proposeRunSteps(context.d1, end, offered.filter(isNew))
  }
  const touched = listedSteps.filter(isTouched).map(({ id }) => id)
  const keptIds = entries.length === 0 ? touched : [...touched, ...(await listDismissed(context.db, module.id))]
  const listed = limitBeside(outline(keptIds), touched)
  return commitRunSteps(context.d1, end, screen(await quoteLines(context, current, listed)))
}

async function storeTranscript({ bucket }: Context, id: RunId, sections: readonly SectionRow[]) {
  const segments = sections.flatMap((section) => section.segments ?? [])
  return { key: await putTranscript(bucket, id, segments), segmentCount: segments.length }
}

/**
 * Updates the quotes of steps: a reprocessing run may reuse sections that were written before their lines were
 * corrected.
 */
async function quoteLines(context: Context, { module, run }: CurrentRun, steps: StepToStore[]): Promise<StepToStore[]> {
  if (run.trigger !== 'reprocess') return steps
  const isCaptioned = module.captionsKey !== null
  const lines = isCaptioned ? await readCaptionSegments(context, module) : await readSections(context.db, run)
  return quoteCorrected(steps, lines)
}

/** Converts a stored section to the input of `composeSteps`. */
export function toComposed(row: SectionRow) {
  return { steps: readSectionSteps(row), isDraft: row.isDraft }
}

const CAPTIONS_ELSEWHERE: RunFailure = {
  code: 'captions_elsewhere',
  reason:
    'None of the captions lie inside this video, so the file may belong to another one. Add the right caption file.',
}

/** Reasons that the owner reads when a run ends because continuing is useless. */
export const REASONS = {
  no_audio:
    'This video has no audio, so there is no narration to make steps from. Add a caption file with what to do, or add the steps by hand.',
  not_understood:
    'The narration could not be understood well enough to make steps from it. Add a caption file and we will use that instead.',
  no_narration:
    'No speech was found in this video, so there is nothing to make steps from. Add a caption file with what to do, or add the steps by hand.',
} as const
