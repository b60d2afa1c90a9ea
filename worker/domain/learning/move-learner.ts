import { PLAYBACK_RATE_MAX } from '#contract/limits.ts'
import type { ModuleRow } from '#worker/domain/module/module-store.ts'
import { AppError } from '#worker/errors.ts'
import { type Learner, mergeLearners } from './apply-report.ts'
import { deleteLearner, findFirstStart, moveLearner } from './learner-account-store.ts'
import { type LearnerId, readLearner, type StoredLearner } from './learning-store.ts'
import { addSums, type LearningSums, NO_SUMS, sumLearner } from './learning-sums.ts'

/** As with reports: others come between only for a moment. */
const TRIES = 5

type Video = Pick<ModuleRow, 'id' | 'durationMs'>

/**
 * Removes one learner of a module, so that the sums are as if the learner had never come.
 * @returns false when there is no such learner
 */
export async function removeLearner(d1: D1Database, module: Video, learnerId: string): Promise<boolean> {
  const id = { moduleId: module.id, learnerId }
  return retry(async () => {
    const before = await readLearner(d1, id)
    if (before.learner === null) return false
    const change = addSums(NO_SUMS, sumOf(before, module), -1)
    return (await deleteLearner(d1, { id, before, change })) ? true : null
  })
}

/**
 * Makes the progress of a learner without an account part of the account's; nothing happens where that was done before.
 * @param to null for an owner, whose watching is not counted
 */
export async function claimLearner(
  d1: D1Database,
  module: Video,
  { from, to }: { from: string; to: string | null },
): Promise<void> {
  if (to === null) {
    await removeLearner(d1, module, from)
    return
  }
  await retry(() => claimOnce(d1, module, { from, to }))
}

async function claimOnce(
  d1: D1Database,
  module: Video,
  { from, to }: { from: string; to: string },
): Promise<boolean | null> {
  const idOf = (learnerId: string): LearnerId => ({ moduleId: module.id, learnerId })
  const [source, target] = [await readLearner(d1, idOf(from)), await readLearner(d1, idOf(to))]
  if (source.learner === null) return false
  // Steps may be recounted between the two reads.
  if (source.recount !== target.recount) return null
  const lastAtMs = Math.max(source.lastAtMs, target.lastAtMs)
  const firstAtMs = (await findFirstStart(d1, module.id, [from, to])) ?? lastAtMs
  const verifiedMaxS = ((lastAtMs - firstAtMs) / 1000) * PLAYBACK_RATE_MAX
  const after = merge(source.learner, { source, target, verifiedMaxS })
  const change = addSums(
    sumOf({ ...target, learner: after }, module),
    addSums(sumOf(source, module), sumOf(target, module)),
    -1,
  )
  const completedAts = [source.completedAtMs, target.completedAtMs].filter((at) => at !== null)
  const completedAtMs = completedAts.length === 0 ? null : Math.min(...completedAts)
  const moved = await moveLearner(d1, {
    moduleId: module.id,
    from: { learnerId: from, before: source },
    to: { learnerId: to, before: target, after, completedAtMs },
    change,
  })
  return moved ? true : null
}

function merge(
  learner: Learner,
  { source, target, verifiedMaxS }: { source: StoredLearner; target: StoredLearner; verifiedMaxS: number },
): Learner {
  if (target.learner === null) return learner
  return source.lastAtMs > target.lastAtMs
    ? mergeLearners(target.learner, learner, verifiedMaxS)
    : mergeLearners(learner, target.learner, verifiedMaxS)
}

function sumOf({ learner, countedSteps }: StoredLearner, { durationMs }: Video): LearningSums {
  if (learner === null) return NO_SUMS
  return sumLearner(learner, { durationS: (durationMs ?? 0) / 1000, steps: countedSteps })
}

/** @param once answers null when something came between */
async function retry(once: () => Promise<boolean | null>): Promise<boolean> {
  for (let attempt = 0; attempt < TRIES; attempt++) {
    const done = await once()
    if (done !== null) return done
  }
  throw new AppError('unavailable', 'This learner is watching right now. Please try again.', { retryAfterS: 1 })
}
