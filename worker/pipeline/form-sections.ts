import { type ChunkRow, countTranscribedBetween, listChunksBetween, readWords } from '#worker/domain/run/chunk-store.ts'
import { type CurrentRun, findCurrentRun, needsCaptionPlan } from '#worker/domain/run/current-run.ts'
import { ring } from '#worker/domain/run/doorbell.ts'
import { failRun } from '#worker/domain/run/fail-run.ts'
import { formSection } from '#worker/domain/run/form-section.ts'
import { planSectionsOf, storeSection } from '#worker/domain/run/formation-store.ts'
import { updateReport } from '#worker/domain/run/report-run.ts'
import type { RunDeps } from '#worker/domain/run/run-deps.ts'
import type { RunId } from '#worker/domain/run/run-fence.ts'
import { awaitsVideo, type RunRow } from '#worker/domain/run/run-store.ts'
import { planFormation } from '#worker/domain/run/section-plan.ts'
import { findSection, storeWritten } from '#worker/domain/run/section-store.ts'
import { planSections } from '#worker/domain/step/plan-sections.ts'
import { rateTranscription } from '#worker/domain/transcript/rate-transcription.ts'
import { listSegments } from '#worker/domain/transcript/transcript-store.ts'
import { finishRun } from './finish.ts'

/**
 * Does what stands between the tasks of a run: forms every section whose chunks are transcribed, in order, each with the
 * task of writing its steps, and ends the run when all are written. Any number of callers may do so at the same time,
 * for each section is stored once; the watchdog does, where a stage broke off before it.
 * @param known the run as a commit has just returned it, which saves reading it again
 * @returns the run as it is then; null when it has ended
 */
export async function advanceRun(deps: RunDeps, id: RunId, known?: CurrentRun): Promise<CurrentRun | null> {
  let fresh = known
  for (let isFenced = false; ; ) {
    const current = fresh ?? (await findCurrentRun(deps, id))
    fresh = undefined
    // No section of the audio is stored any more: going on would never end. The task that reads the video's length plans
    // the captions where it is not known yet.
    if (current !== null && needsCaptionPlan(current)) {
      if (current.module.durationMs !== null) await planCaptions(deps, id)
    } else if (current !== null && !isFenced && (await isNextTranscribed(deps, current.run))) {
      if (await failIfInVain(deps, current.run)) return null
      // The caller that stored the section looks for the next one as well, at all that is transcribed by then. If both
      // went on, each chunk of a long video would form every section again.
      isFenced = !(await formNext(deps, current))
      continue
    }
    if (current === null || !isWritten(current.run) || awaitsVideo(current.run)) return current
    await finishRun(deps, id)
    return findCurrentRun(deps, id)
  }
}

function isWritten({ sectionCount, writtenSections }: RunRow): boolean {
  return sectionCount !== null && writtenSections >= sectionCount
}

/**
 * Checks whether transcribing this chunk can complete a run's next section. Otherwise nothing is to be done: a section
 * that becomes the next one later is formed by the caller that formed the one before it.
 */
export function canAdvance(run: RunRow, chunkIndex: number): boolean {
  const needed = neededChunks(run)
  return needed !== null && chunkIndex >= needed.first && chunkIndex <= needed.last
}

/** The chunks that a run's next section is formed from. Null after the last one. */
function neededChunks({ formedSections, sectionCount, chunkCount }: RunRow) {
  if (sectionCount !== null) return null
  const { firstNeeded: first, lastNeeded: last, isLast } = planFormation(formedSections, chunkCount)
  return { first, last, isLast }
}

async function isNextTranscribed(deps: RunDeps, run: RunRow): Promise<boolean> {
  const needed = neededChunks(run)
  if (needed === null || run.transcribedCount === 0) return false
  const { first, last, isLast } = needed
  // What ends the run is judged by all chunks, so its sums have to be whole.
  if (isLast && run.transcribedCount <= last) return false
  return (await countTranscribedBetween(deps.db, run, first, last)) === last - first + 1
}

/** @returns false when another caller stored the section first */
async function formNext(deps: RunDeps, current: CurrentRun): Promise<boolean> {
  const { run } = current
  const { formedSections: section } = run
  const { first = 0, last = 0, isLast = false } = neededChunks(run) ?? {}
  const rows = await listChunksBetween(deps.db, run, first, last)
  const lastOwn = isLast ? rows.at(-1) : rows.at(-2)
  const formed = formSection({
    chunks: rows.map(toTranscribed),
    fromMs: run.formedUntilMs,
    boundaryMs: isLast ? null : (rows.at(-1)?.startMs ?? null),
    lastChunkMs: lastOwn?.startMs ?? 0,
  })
  const at = { section, fromPosition: run.formedSegments, isLast, nowMs: deps.nowMs() }
  if (!(await storeSection(deps.d1, run, { ...at, ...formed }))) return false
  if (formed.segments.length > 0) await ring(deps, 'write_steps')
  else await passSilence(deps, current, section)
  return true
}

function toTranscribed(row: ChunkRow) {
  return { audioStartMs: row.audioStartMs, startMs: row.startMs, endMs: row.endMs, words: readWords(row) }
}

/** A section without speech has no steps. */
async function passSilence(deps: RunDeps, current: CurrentRun, section: number): Promise<void> {
  const row = await findSection(deps.db, current.run, section)
  const answer = { steps: [], isDraft: false }
  if (row !== null) await storeWritten(deps.db, current, { task: null, section: row, answer, nowMs: deps.nowMs() })
}

/** Plans all sections of a captioned module at once, with their tasks; nothing is transcribed. Once per run. */
export async function planCaptions(deps: RunDeps, id: RunId): Promise<void> {
  const lengths = planSections(await listSegments(deps.db, id.moduleId)).map((section) => section.length)
  let position = 0
  const planned = lengths.map((length) => {
    const fromPosition = position
    position += length
    return { fromPosition, toPosition: position }
  })
  if (!(await planSectionsOf(deps.d1, id, { planned, nowMs: deps.nowMs() }))) return
  const current = await findCurrentRun(deps, id)
  if (current === null) return
  await updateReport(deps.db, current, deps.nowMs())
  if (planned.length > 0) await ring(deps, 'write_steps')
  else await finishRun(deps, id)
}

/**
 * Fails a run when the transcript shows that continuing is useless. Depends on the sums alone, so it says the same on every
 * caller the same.
 * @returns whether it was of no use
 */
export async function failIfInVain(deps: RunDeps, run: RunRow): Promise<boolean> {
  const isComplete = run.chunkCount !== null && run.transcribedCount >= run.chunkCount
  const verdict = rateTranscription(run, { isComplete })
  if (verdict !== 'not_understood' && verdict !== 'no_narration') return false
  await failRun(deps, run, { code: verdict, reason: REASONS[verdict] })
  return true
}

const REASONS = {
  not_understood:
    'The narration could not be understood well enough to make steps from it. Add a caption file (.vtt or .srt) and we will use that instead.',
  no_narration:
    'Nobody seems to speak in this video, so there is nothing to make steps from. Add a caption file (.vtt or .srt) with what to do, or add the steps by hand.',
} as const
