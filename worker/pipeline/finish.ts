import { publishModule } from '#worker/domain/live/publish.ts'
import type { ModuleRow } from '#worker/domain/module/module-store.ts'
import { type CurrentRun, findCurrentRun, needsCaptionPlan } from '#worker/domain/run/current-run.ts'
import { failRun } from '#worker/domain/run/fail-run.ts'
import { PROGRESS_WRITTEN } from '#worker/domain/run/progress.ts'
import type { RunDeps } from '#worker/domain/run/run-deps.ts'
import type { RunId } from '#worker/domain/run/run-fence.ts'
import { reportRun } from '#worker/domain/run/run-status-store.ts'
import { commitRunSteps, proposeRunSteps, showRunSteps } from '#worker/domain/run/run-step-store.ts'
import { awaitsVideo } from '#worker/domain/run/run-store.ts'
import {
  listSections,
  listSectionsBetween,
  readSectionSteps,
  type SectionRow,
} from '#worker/domain/run/section-store.ts'
import { settleRun } from '#worker/domain/run/settle-run.ts'
import { composeSteps } from '#worker/domain/step/compose-steps.ts'
import { limitBeside } from '#worker/domain/step/limit-steps.ts'
import { quoteCorrected } from '#worker/domain/step/requote.ts'
import type { StepToStore } from '#worker/domain/step/step-row.ts'
import { listTouchedIds } from '#worker/domain/step/step-store.ts'
import { listLinesOf } from '#worker/domain/transcript/transcript-store.ts'

/**
 * Ends a run whose sections are all written, and whose audio is known to be the video's: joins their steps and commits
 * them together with READY, in one transaction. Any number of callers may try; one of them does it.
 */
export async function finishRun(deps: RunDeps, id: RunId): Promise<void> {
  const current = await findCurrentRun(deps, id)
  if (current === null) return
  const { run, module } = current
  // Steps of the audio do not go with captions that have come since.
  if (needsCaptionPlan(current)) return
  if (run.sectionCount === null || run.writtenSections < run.sectionCount) return
  // The task that compares the audio with the video comes back.
  if (awaitsVideo(run)) return publishModule(deps, id.moduleId)
  const at = { moduleId: run.moduleId, run: run.run, nowMs: deps.nowMs() }
  await reportRun(deps.db, at, { progress: PROGRESS_WRITTEN, message: 'Saving the steps' })
  const sections = (await listSections(deps.db, id)).slice(0, run.sectionCount).map(toComposed)
  const steps = composeSteps({ run: id.run, durationMs: module.durationMs, sections, isComplete: true })
  if (steps.length === 0) {
    const reason = module.transcriptSource === 'captions' ? CAPTIONS_ELSEWHERE : NOTHING_SAID
    return failRun(deps, id, { code: 'no_narration', reason })
  }
  const touched = await listTouchedIds(deps.db, id.moduleId)
  const isBeside = !run.isLive && touched.length > 0
  const written = await quoteLines(deps, current, isBeside ? steps : limitBeside(steps, touched))
  const isEnded = await (isBeside ? proposeRunSteps : commitRunSteps)(deps.d1, at, written)
  if (isEnded) await settleRun(deps, id)
}

/** A run that a person asked for may go on with sections that were written before their lines were corrected. */
async function quoteLines(deps: RunDeps, { module, run }: CurrentRun, steps: StepToStore[]): Promise<StepToStore[]> {
  if (run.trigger !== 'reprocess') return steps
  const transcribedBy = module.transcriptSource === 'captions' ? 0 : run.run
  return quoteCorrected(steps, await listLinesOf(deps.db, { moduleId: run.moduleId, run: transcribedBy }))
}

/** A continuing step joins earlier ones up to five minutes back, and a section has half a minute at least. */
const NEIGHBOURS = 12

/**
 * Shows the steps of a section that has just been written, and what its arrival changes beside it.
 * @returns the module with its new version of the steps; null when nothing is to be shown
 */
export async function showSection(
  deps: RunDeps,
  { module, run }: CurrentRun,
  section: number,
): Promise<ModuleRow | null> {
  if (!run.isLive) return null
  const from = Math.max(0, section - NEIGHBOURS)
  const to = section + NEIGHBOURS
  const rows = await listSectionsBetween(deps.db, run, from, to)
  const steps = composeSteps({
    run: run.run,
    durationMs: module.durationMs,
    from,
    sections: rows.map(toComposed),
    isComplete: false,
    isCutOff: rows.at(-1)?.section === to,
  })
  const stepsVersion = steps.length === 0 ? null : await showRunSteps(deps.d1, run, steps)
  return stepsVersion === null ? null : { ...module, stepsVersion }
}

function toComposed(row: SectionRow) {
  return { steps: readSectionSteps(row), isDraft: row.isDraft }
}

const NOTHING_SAID =
  'Nobody seems to speak in this video, so there is nothing to make steps from. Add a caption file (.vtt or .srt) with what to do.'

const CAPTIONS_ELSEWHERE =
  'None of the captions lie inside this video, so the file may belong to another one. Add the right caption file.'
