import { nanoid } from 'nanoid'
import type { SessionAnswer, SessionRequest } from '#contract/learning.ts'
import type { Context } from '#worker/core/context.ts'
import { getModule, getSharedModule } from '#worker/domain/module/get-module.ts'
import { asLearnersSee } from '#worker/domain/module/learner-source.ts'
import type { ModuleRow } from '#worker/domain/module/module-store.ts'
import type { Caller } from '#worker/ports/identity.ts'
import { isOutlived } from './erased-store.ts'
import {
  accountLearnerId,
  isAccountLearner,
  type LearnerToken,
  readLearnerToken,
  readSession,
  signAccountToken,
  signSession,
  signVisitorToken,
} from './learner-token.ts'
import { ACCOUNT_TOKEN_TTL_MS } from './learning-limits.ts'
import { claimLearner } from './move-learner.ts'
import { findProgress } from './note-learning.ts'

/** Who watches a module. */
export interface Watcher {
  /** As it is stored; null for an owner, whose watching is not counted. */
  learnerId: string | null
  /** Of the account, if there is one. */
  userId: string | null
}

/**
 * Finds who watches: the account of the caller, or else what the token says; null where neither says it.
 * @param caller null for anyone with the link
 * @throws {AppError} not_found for a module that the caller cannot open
 */
export async function findWatcher(
  context: Context,
  caller: Caller | null,
  { moduleId, learner }: { moduleId: string; learner: string | undefined },
): Promise<{ module: ModuleRow; watcher: Watcher | null }> {
  const { d1, secrets, nowMs } = context
  if (caller !== null) {
    const { module, role } = await getModule(context, caller, moduleId)
    const { userId } = caller
    const learnerId = role === 'owner' ? null : accountLearnerId(userId)
    return { module: asLearnersSee(module), watcher: { userId, learnerId } }
  }
  const module = asLearnersSee(await getSharedModule(context, moduleId))
  const now = { moduleId, nowMs: nowMs() }
  const token = await readLearnerToken(secrets, learner, now)
  const signedMs = token?.expiresAtMs && token.expiresAtMs - ACCOUNT_TOKEN_TTL_MS
  if (token !== null && signedMs && (await isOutlived(d1, token.learnerId, { ...now, signedMs })))
    return { module, watcher: null }
  return { module, watcher: token === null ? null : watcherOf(module, token) }
}

function watcherOf(module: ModuleRow, { learnerId }: LearnerToken): Watcher {
  if (!isAccountLearner(learnerId)) return { learnerId, userId: null }
  const userId = learnerId.slice(accountLearnerId('').length)
  return { userId, learnerId: userId === module.userId ? null : learnerId }
}

/** The request of a page when it is opened. */
interface AskedSession extends SessionRequest {
  moduleId: string
  /** Counts a new learner without an account. @throws {AppError} rate_limited */
  limitNewLearner: () => Promise<void>
  /** Gives an account what a learner without one has reported and asked. */
  moveSaid: (said: { moduleId: string; from: string; userId: string }) => Promise<void>
}

/**
 * Starts the session of an opened page, whose reports are held against the time since then, or since the session that
 * the learner was given when the training was kept. What the account's learner did on this device before signing in
 * becomes the account's: progress, reports, and questions to the trainer.
 * @throws {AppError} not_found for a module that the caller cannot open, rate_limited for too many new learners
 */
export async function startSession(
  context: Context,
  caller: Caller | null,
  { moduleId, learner, claim, page, since, limitNewLearner, moveSaid }: AskedSession,
): Promise<SessionAnswer> {
  const { d1, secrets } = context
  const nowMs = context.nowMs()
  const { module, watcher } = await findWatcher(context, caller, { moduleId, learner })
  if (watcher === null) await limitNewLearner()
  const { learnerId, userId } = watcher ?? { learnerId: `anyone:${nanoid()}`, userId: null }
  if (userId !== null) {
    const claimed = await readLearnerToken(secrets, claim, { moduleId, nowMs })
    const from = claimed !== null && !isAccountLearner(claimed.learnerId) ? claimed.learnerId : null
    if (from !== null) {
      await claimLearner(d1, module, { from, to: learnerId })
      // An owner's as well: whoever erases the account is to find all of it.
      await moveSaid({ moduleId: module.id, from, userId })
    }
  }
  const previousSession = since === undefined ? null : await readSession(secrets, since, moduleId)
  // The learner's reports cannot use the same time twice, so an earlier start credits nothing twice.
  const isTheirs =
    previousSession !== null &&
    previousSession.learnerId === learnerId &&
    (userId === null ||
      learnerId === null ||
      !(await isOutlived(d1, learnerId, { signedMs: previousSession.startedAtMs, nowMs })))
  const startedAtMs = isTheirs ? previousSession.startedAtMs : nowMs
  const session = { moduleId, learnerId, sessionId: page ?? nanoid(), startedAtMs }
  return {
    success: true,
    learner:
      userId === null
        ? await signVisitorToken(secrets, { learnerId: learnerId ?? '', moduleId })
        : await signAccountToken(secrets, userId, nowMs),
    session: await signSession(secrets, session),
    hasAccount: userId !== null,
    progress: await findProgress(d1, module, watcher?.learnerId ?? null),
  }
}
