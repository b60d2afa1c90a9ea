import { nanoid } from 'nanoid'
import type { EraseAnswer } from '#contract/account.ts'
import type { Context } from '#worker/core/context.ts'
import { eraseCollectionsOf } from '#worker/domain/collection/collection-store.ts'
import { removeFeedbackOf } from '#worker/domain/feedback/feedback-store.ts'
import { markErased } from '#worker/domain/learning/erased-store.ts'
import { renameLearner } from '#worker/domain/learning/learner-account-store.ts'
import { accountLearnerId } from '#worker/domain/learning/learner-token.ts'
import { ERASED_PER_SWEEP } from '#worker/domain/lifecycle/erase-module.ts'
import { forgetPassages } from '#worker/domain/lifecycle/module-lifecycle.ts'
import { roomOf } from '#worker/domain/live/publish.ts'
import {
  countErasableOf,
  countOwn,
  endRestorableOf,
  SETTLED_AFTER_MS,
  softDeleteOwn,
} from '#worker/domain/module/deleted-store.ts'
import { removeInvitationsOf } from '#worker/domain/module/invitation-store.ts'
import { leaveToOrganizations } from '#worker/domain/module/module-store.ts'
import { removeOpenedOf } from '#worker/domain/opened/opened-store.ts'
import { removeReportsOf } from '#worker/domain/step-report/report-photo.ts'
import { toIso } from '#worker/domain/to-iso.ts'
import { removeTurnsOf } from '#worker/domain/tutor/turn-store.ts'
import { removeReviewer } from '#worker/domain/version/review-store.ts'
import { renamePublisher } from '#worker/domain/version/version-store.ts'
import { erasePeopleOf } from './erase-trained.ts'
import { type ErasureRow, insertErasure, removeErasure } from './erasure-store.ts'

/** The browser gives up after ten seconds, so the request ends before and the sweep erases the rest. */
const IN_REQUEST_MS = 6_000
const SWEEP_EVERY_MS = 60_000

/**
 * Erases what is known of a person: at once for everybody who could see it, in storage with the next sweeps. Asking
 * again does no harm.
 * @param onGone is called with the modules and with the collections that were removed
 */
export async function eraseAccount(
  context: Context,
  userId: string,
  onGone: (moduleIds: string[]) => Promise<void>,
): Promise<EraseAnswer> {
  const startMs = context.nowMs()
  const erasure = await insertErasure(context.db, userId, startMs)
  await erasePeopleOf(context, { userId, beforeMs: erasure.requestedAt })
  let isDone = false
  while (!isDone && context.nowMs() - startMs < IN_REQUEST_MS) {
    const some = await eraseSome(context, erasure)
    for (const ids of some.gone) await onGone(ids)
    isDone = some.isDone
  }
  const modulesLeft = (await countOwn(context.db, userId, startMs)) + (await countErasableOf(context.db, userId))
  const sweeps = 1 + Math.ceil(modulesLeft / ERASED_PER_SWEEP)
  const removedBy = toIso(startMs + SETTLED_AFTER_MS + sweeps * SWEEP_EVERY_MS)
  return { success: true, isDone, modulesLeft, removedBy }
}

/** Continues an erasure. @returns whether nothing is left of the person but modules that wait for the sweep */
async function eraseSome(context: Context, { userId, alias, requestedAt: beforeMs }: ErasureRow) {
  const { db, d1 } = context
  const deletedIds = await softDeleteOwn(db, userId, { beforeMs, nowMs: context.nowMs() })
  await forgetPassages(context, deletedIds)
  await Promise.all(deletedIds.map((id) => roomOf(context, id).endWatching()))
  await endRestorableOf(db, userId, beforeMs)
  const collections = await eraseCollectionsOf(db, { userId, alias, beforeMs })
  const done = [
    deletedIds.length === 0,
    collections.isDone,
    await leaveToOrganizations(db, { userId, alias, beforeMs }),
    await renamePublisher(db, { userId, alias, beforeMs }),
    await removeReviewer(db, { userId, alias, beforeMs }),
    await removeFeedbackOf(db, userId, beforeMs),
    await removeTurnsOf(db, userId, beforeMs),
    await removeOpenedOf(db, userId, beforeMs),
    await removeInvitationsOf(db, userId, beforeMs),
    await removeReportsOf(context, { learnerId: accountLearnerId(userId) }, beforeMs),
    // A new name each time: one who has gone on watching from the same page would meet themselves under the old one.
    await renameLearner(d1, { from: accountLearnerId(userId), to: `anyone:erased_${nanoid()}`, beforeMs }),
  ]
  return { gone: [deletedIds, collections.gone], isDone: done.every(Boolean) }
}

/** The sweep's part: what the request had no time for, and in the end that the person was ever here. */
export async function continueErasure(context: Context, erasure: ErasureRow): Promise<void> {
  const { userId, requestedAt: beforeMs } = erasure
  const { isDone } = await eraseSome(context, erasure)
  // A name that a legal hold keeps is asked for again until the hold has ended.
  const isNameless = await erasePeopleOf(context, { userId, beforeMs })
  if (!isDone || !isNameless || (await countErasableOf(context.db, userId)) > 0) return
  await markErased(context.d1, erasure.userId, erasure.requestedAt)
  await removeErasure(context.db, erasure)
}
