import { isSilent } from '#contract/module.ts'
import { BLANK_STEP, type OfferScenes, type ProposalsAnswer } from '#contract/step.ts'
import type { Context } from '#worker/core/context.ts'
import { AppError } from '#worker/core/errors.ts'
import type { ModuleRow } from '#worker/domain/module/module-store.ts'
import { MAX_STEP_MS, MIN_STEP_MS } from '#worker/domain/step/extractive/step-times.ts'
import { readProposals } from '#worker/domain/step/save-steps.ts'
import { insertProposals } from '#worker/domain/step/step-store.ts'
import { type StepToStore } from '#worker/domain/step/tidy-section.ts'
import { listWithoutSpeech, type Span } from '#worker/domain/transcript/speech-stretches.ts'
import { readTranscript, sourceOf } from '#worker/domain/transcript/transcript-store.ts'
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
 * decides; where it saw none, the module fails as it would have without a browser. Of a READY module, those in parts
 * without speech are offered, unless something else is.
 * @returns what is offered then
 * @throws {AppError} not_in_progress where all of the video is narrated, or another cause made it fail
 */
export async function offerScenes(
  context: Context,
  module: ModuleRow,
  { starts }: OfferScenes,
): Promise<ProposalsAnswer> {
  if (module.status === 'READY') return offerRest(context, module, starts)
  const isOffered = module.failureCode === UNNAMED.code
  if (!(isOffered || isSilent(module.failureCode))) {
    throw notWithoutSpeech()
  }
  if (!isOffered) {
    const id = { moduleId: module.id, run: module.run }
    const whole = { startMs: 0, endMs: module.durationMs ?? 0 }
    await storeScenes(context, id, planScenes(id, starts, [whole]))
    await settleRun(context, id)
  }
  return readProposals(context.db, module)
}

/** @throws {AppError} not_in_progress where all of the video is narrated, captioned, or made again */
async function offerRest(context: Context, module: ModuleRow, starts: readonly number[]): Promise<ProposalsAnswer> {
  const { segments } = await readTranscript(context, module)
  const parts = listWithoutSpeech({ ...module, source: sourceOf(module) }, segments)
  if (parts.length === 0 || module.runStatus === 'PROCESSING') throw notWithoutSpeech()
  const id = { moduleId: module.id, run: module.run }
  const isSame = `EXISTS (SELECT 1 FROM modules WHERE id = ?1 AND run = ?3 AND run_status <> 'PROCESSING' AND captions_key IS NULL)
    AND NOT EXISTS (SELECT 1 FROM step_proposals WHERE module_id = ?1)`
  await context.d1
    .prepare(`${insertProposals()} WHERE ${isSame}`)
    .bind(id.moduleId, JSON.stringify(planScenes(id, starts, parts)), id.run)
    .run()
  return readProposals(context.db, module)
}

function notWithoutSpeech(): AppError {
  return new AppError('not_in_progress', 'Scenes are offered only for a video, or parts of one, without speech.')
}

/** Makes steps without a title of what scenes have in common with parts of the video, by the editor's rules of length. */
function planScenes({ run }: RunId, starts: readonly number[], parts: readonly Span[]): StepToStore[] {
  const startsMs = [...new Set(starts.map((start) => Math.round(start * 1000)))].toSorted((a, b) => a - b)
  const scenes = startsMs.map((startMs, index) => ({ startMs, endMs: startsMs[index + 1] ?? Number.POSITIVE_INFINITY }))
  const spans = parts.flatMap((part) =>
    scenes.map((scene) => {
      const startMs = Math.max(scene.startMs, part.startMs)
      return { startMs, endMs: Math.min(scene.endMs, part.endMs, startMs + MAX_STEP_MS) }
    }),
  )
  return spans
    .filter(({ startMs, endMs }) => endMs - startMs >= MIN_STEP_MS)
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
    bind(`${insertProposals()} WHERE ${isSilentRun('?3')}`, JSON.stringify(scenes), id.run),
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
