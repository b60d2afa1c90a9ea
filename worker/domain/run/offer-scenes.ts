import { isSilent } from '#contract/module.ts'
import { BLANK_STEP, type OfferScenes, type ProposalsAnswer } from '#contract/step.ts'
import type { Context } from '#worker/core/context.ts'
import { AppError } from '#worker/core/errors.ts'
import type { ModuleRow } from '#worker/domain/module/module-store.ts'
import { MAX_STEP_MS, MIN_STEP_MS } from '#worker/domain/step/extractive/step-times.ts'
import { readProposals } from '#worker/domain/step/save-steps.ts'
import { INSERT_PROPOSALS } from '#worker/domain/step/step-store.ts'
import { type StepToStore } from '#worker/domain/step/tidy-section.ts'
import type { RunId } from './fence.ts'
import { type RunFailure, settleRun } from './start-run.ts'

/** The status message of a module whose scenes wait for names. */
const UNNAMED: RunFailure = {
  code: 'unnamed',
  reason:
    'There is no speech in this video. Its scenes were found instead: the first that you name opens the training.',
}

/**
 * Offers the scenes of a module that failed for want of speech, or waits for them, and ends its run. The first browser
 * decides; where it saw none, the module fails as it would have without a browser.
 * @returns what is offered then
 * @throws {AppError} not_in_progress where something is said in the video, or the module has steps already
 */
export async function offerScenes(
  context: Context,
  module: ModuleRow,
  { starts }: OfferScenes,
): Promise<ProposalsAnswer> {
  const isOffered = module.failureCode === UNNAMED.code
  if (module.status === 'READY' || !(isOffered || isSilent(module.failureCode))) {
    throw new AppError('not_in_progress', 'Scenes are offered only for a video without speech that has no steps.')
  }
  if (!isOffered) {
    const id = { moduleId: module.id, run: module.run }
    await storeScenes(context, id, planScenes(id, starts, module.durationMs ?? 0))
    await settleRun(context, id)
  }
  return readProposals(context.db, module)
}

/** Makes steps without a title of the beginnings of scenes. Each keeps the editor's rules of length. */
function planScenes({ run }: RunId, starts: readonly number[], durationMs: number): StepToStore[] {
  const startsMs = [...new Set(starts.map((start) => Math.round(start * 1000)))].toSorted((a, b) => a - b)
  const spans = startsMs.map((startMs, index) => {
    return { startMs, endMs: Math.min(startsMs[index + 1] ?? durationMs, startMs + MAX_STEP_MS) }
  })
  return spans
    .filter(({ startMs, endMs }) => endMs <= durationMs && endMs - startMs >= MIN_STEP_MS)
    .map((span) => ({
      ...BLANK_STEP,
      ...span,
      id: `scene-${run}-${span.startMs}`,
      title: '',
      segmentIds: [],
      run,
      editedAt: null,
    }))
}

/** True in SQL while a run of the module `?1` is the current one, and neither scenes nor steps are there. @param run its parameter */
const isSilentRun = (run: string) => `EXISTS (SELECT 1 FROM modules WHERE id = ?1 AND run = ${run} AND status <> 'READY'
  AND failure_code IN ('no_audio', 'no_narration'))`

/** In one transaction, so that no run ends as unnamed without its scenes. */
async function storeScenes({ d1, nowMs }: Context, id: RunId, scenes: StepToStore[]): Promise<void> {
  const { code, reason } = scenes.length > 0 ? UNNAMED : { code: null, reason: null }
  const bind = (sql: string, ...values: unknown[]) => d1.prepare(sql).bind(id.moduleId, ...values)
  await d1.batch([
    bind(`DELETE FROM step_proposals WHERE module_id = ?1 AND ${isSilentRun('?2')}`, id.run),
    bind(`${INSERT_PROPOSALS} WHERE ${isSilentRun('?3')}`, JSON.stringify(scenes), id.run),
    bind(
      `UPDATE runs SET ended_at = ?3, outcome = 'failed',
         failure_code = coalesce(?4, (SELECT failure_code FROM modules WHERE id = ?1))
       WHERE module_id = ?1 AND run = ?2 AND ended_at IS NULL AND ${isSilentRun('?2')}`,
      id.run,
      nowMs(),
      code,
    ),
    bind(
      `UPDATE modules SET status = 'FAILED', run_status = 'FAILED', message = 'Processing failed', updated_at = ?3,
         failure_code = coalesce(?4, failure_code), last_error = coalesce(?5, last_error)
       WHERE id = ?1 AND ${isSilentRun('?2')}`,
      id.run,
      nowMs(),
      code,
      reason,
    ),
  ])
}
