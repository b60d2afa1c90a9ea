import type { SaveCuts } from '#contract/cuts.ts'
import type { StepsAnswer } from '#contract/step.ts'
import { lengthOf } from '#contract/time/time-ranges.ts'
import { findVisible, tidyCuts } from '#contract/time/visible-time.ts'
import type { Context } from '#worker/core/context.ts'
import { AppError } from '#worker/core/errors.ts'
import type { ModuleRow } from '#worker/domain/module/module-store.ts'
import { answerNow, toConflict } from './save-steps.ts'
import { replaceCuts } from './step-store.ts'

/** A video of which less is left is a mistake. */
const VISIBLE_MIN_S = 1

/**
 * Replaces what is left out of a module's video.
 * @returns the steps with their new version
 * @throws {AppError} too_early while the length of the video is not known, invalid_request where nothing of it would be
 * left, version_conflict for a stale version
 */
export async function saveCuts(context: Context, module: ModuleRow, request: SaveCuts): Promise<StepsAnswer> {
  if (module.durationMs === null) {
    throw new AppError('too_early', 'This video is still being prepared.', { retryAfterS: 10 })
  }
  const durationS = module.durationMs / 1000
  const cuts = tidyCuts(request.cuts, durationS)
  if (lengthOf(findVisible({ start: 0, end: durationS }, cuts)) < VISIBLE_MIN_S) {
    throw new AppError('invalid_request', 'Something of the video has to be left.')
  }
  const options = { moduleId: module.id, basedOn: request.version ?? null, nowMs: context.nowMs() }
  if (!(await replaceCuts(context.d1, options, cuts))) throw await toConflict(context, module)
  return answerNow(context, module)
}
