import { PLAYBACK_RATE_MAX } from '#contract/limits.ts'
import { AppError } from '#worker/core/errors.ts'
import type { ModuleRow } from '#worker/domain/module/module-store.ts'
import { mergeLearners, NEW_LEARNER } from './apply-report.ts'
import { deleteLearner, findFirstStart, moveLearner } from './learner-account-store.ts'
import { type LearnerId, readLearner, type StoredLearner } from './learning-store.ts'
import { addSums, type LearningSums, NO_SUMS, sumLearner } from './learning-sums.ts'

/** As with reports, more conflicting writes in a row are not expected. */
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
  const storedLearners = target.learner === null ? [source] : [source, target]
  const completedAts = storedLearners.flatMap(({ completedAtMs }) => completedAtMs ?? [])
  const times = {
    completedAtMs: completedAts.length === 0 ? null : Math.min(...completedAts),
    firstAtMs: Math.min(...storedLearners.map(({ firstAtMs }) => firstAtMs)),
    lastAtMs: Math.max(...storedLearners.map(({ lastAtMs }) => lastAtMs)),
  }
  const startedAtMs = (await findFirstStart(d1, module.id, [from, to])) ?? times.lastAtMs
  const verifiedMaxS = ((times.lastAtMs - startedAtMs) / 1000) * PLAYBACK_RATE_MAX
  const [earlier, later] = source.lastAtMs > target.lastAtMs ? [target, source] : [source, target]
  const after = mergeLearners(earlier.learner ?? NEW_LEARNER, later.learner ?? NEW_LEARNER, verifiedMaxS)
  const before = addSums(sumOf(source, module), sumOf(target, module))
  const change = addSums(sumOf({ ...target, learner: after }, module), before, -1)
  const moved = await moveLearner(d1, {
    moduleId: module.id,
    from: { learnerId: from, before: source },
    to: { learnerId: to, before: target, after, times },
    change,
  })
  return moved ? true : null
}

function sumOf({ learner, countedSteps }: StoredLearner, { durationMs }: Video): LearningSums {
  if (learner === null) return NO_SUMS
  return sumLearner(learner, { durationS: (durationMs ?? 0) / 1000, steps: countedSteps })
}

/** @param once resolves with null when another write came first */
async function retry(once: () => Promise<boolean | null>): Promise<boolean> {
  for (let attempt = 0; attempt < TRIES; attempt++) {
    const done = await once()
    if (done !== null) return done
  }
  throw new AppError('unavailable', 'This learner is watching right now. Please try again.', { retryAfterS: 1 })
}
