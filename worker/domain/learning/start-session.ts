import { nanoid } from 'nanoid'
import type { SessionAnswer, SessionRequest } from '#contract/learning.ts'
import { openDb } from '#worker/db/db.ts'
import { getModule, getSharedModule } from '#worker/domain/module/get-module.ts'
import type { ModuleRow } from '#worker/domain/module/module-store.ts'
import type { Caller } from '#worker/ports/identity.ts'
import {
  accountLearnerId,
  isAccountLearner,
  type LearnerToken,
  readLearnerToken,
  signAccountToken,
  signSession,
  signVisitorToken,
} from './learner-token.ts'
import { claimLearner } from './move-learner.ts'
import { findProgress } from './note-learning.ts'

/** What starting a session needs. */
export interface SessionDeps {
  d1: D1Database
  /** As in `TICKET_SECRET`. */
  secrets: string
  nowMs: number
  /** Counts a new learner without an account. @throws {AppError} rate_limited */
  limitNewLearner: (moduleId: string) => Promise<void>
}

/** A learner at a module. */
export interface Watcher {
  module: ModuleRow
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
  { d1, secrets, nowMs }: Pick<SessionDeps, 'd1' | 'secrets' | 'nowMs'>,
  caller: Caller | null,
  { moduleId, learner }: { moduleId: string; learner: string | undefined },
): Promise<{ module: ModuleRow; watcher: Watcher | null }> {
  const db = openDb(d1)
  if (caller !== null) {
    const { module, role } = await getModule(db, caller, moduleId)
    const { userId } = caller
    return { module, watcher: { module, userId, learnerId: role === 'owner' ? null : accountLearnerId(userId) } }
  }
  const module = await getSharedModule(db, moduleId)
  const token = await readLearnerToken(secrets, learner, { moduleId, nowMs })
  return { module, watcher: token === null ? null : watcherOf(module, token) }
}

function watcherOf(module: ModuleRow, { learnerId }: LearnerToken): Watcher {
  if (!isAccountLearner(learnerId)) return { module, learnerId, userId: null }
  const userId = learnerId.slice(accountLearnerId('').length)
  return { module, userId, learnerId: userId === module.userId ? null : learnerId }
}

/**
 * Starts the session of an opened page, whose reports are held against the time since then. Progress that the account's
 * learner made on this device before signing in becomes the account's.
 * @throws {AppError} not_found for a module that the caller cannot open, rate_limited for too many new learners
 */
export async function startSession(
  deps: SessionDeps,
  caller: Caller | null,
  { moduleId, learner, claim, page }: SessionRequest & { moduleId: string },
): Promise<SessionAnswer> {
  const { d1, secrets, nowMs } = deps
  const { module, watcher } = await findWatcher(deps, caller, { moduleId, learner })
  const { learnerId, userId } = watcher ?? (await makeVisitor(deps, module))
  if (userId !== null) {
    const claimed = await readLearnerToken(secrets, claim, { moduleId, nowMs })
    const from = claimed !== null && !isAccountLearner(claimed.learnerId) ? claimed.learnerId : null
    if (from !== null) await claimLearner(d1, module, { from, to: learnerId })
  }
  const session = { moduleId, learnerId, sessionId: page ?? nanoid(), startedAtMs: nowMs }
  return {
    success: true,
    learner: await signLearner(deps, { moduleId, learnerId, userId }),
    session: await signSession(secrets, session),
    hasAccount: userId !== null,
    progress: await findProgress(d1, module, learnerId),
  }
}

async function makeVisitor(deps: SessionDeps, module: ModuleRow): Promise<Watcher> {
  await deps.limitNewLearner(module.id)
  return { module, learnerId: `anyone:${nanoid()}`, userId: null }
}

function signLearner(
  { secrets, nowMs }: SessionDeps,
  { moduleId, learnerId, userId }: { moduleId: string; learnerId: string | null; userId: string | null },
): Promise<string> {
  if (userId !== null) return signAccountToken(secrets, userId, nowMs)
  return signVisitorToken(secrets, { learnerId: learnerId ?? '', moduleId })
}
