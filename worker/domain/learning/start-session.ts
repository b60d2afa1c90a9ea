import { nanoid } from 'nanoid'
import type { SessionAnswer, SessionRequest } from '#contract/learning.ts'
import { seesDraft } from '#contract/module.ts'
import type { KnownBy } from '#contract/records/training-record.ts'
import type { Context } from '#worker/core/context.ts'
import {
  type AssignedTraining,
  findAssigned,
  findJoined,
  findVisitorAssigned,
  type PersonId,
} from '#worker/domain/module/assigned-access.ts'
import { getModule, getUnlocked } from '#worker/domain/module/get-module.ts'
import { asLearnersSee } from '#worker/domain/module/learner-source.ts'
import type { ModuleRow } from '#worker/domain/module/module-store.ts'
import type { Caller } from '#worker/ports/identity.ts'
import { isOutlived } from './erased-store.ts'
import {
  accountLearnerId,
  holderOf,
  isAccountLearner,
  type LearnerToken,
  personLearnerId,
  personOfLearner,
  readLearnerToken,
  readSession,
  type SessionToken,
  type ShownVersion,
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
  /** The person of an organization to whom the training is assigned; left out for everybody else. */
  assigned?: VisitorAssigned
}

type VisitorAssigned = NonNullable<Awaited<ReturnType<typeof findVisitorAssigned>>>

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
    const learnerId = seesDraft(role) ? null : accountLearnerId(userId)
    return { module: asLearnersSee(module), watcher: { userId, learnerId } }
  }
  const assigned = await findVisitorAssigned(context, moduleId)
  if (assigned !== null) {
    const learnerId = personLearnerId(assigned.person, assigned.known, { nowMs: nowMs(), shown: null })
    return { module: asLearnersSee(assigned.module), watcher: { learnerId, userId: null, assigned } }
  }
  const module = asLearnersSee(await getUnlocked(context, moduleId))
  const now = { moduleId, nowMs: nowMs() }
  const token = await readLearnerToken(secrets, learner, now)
  // What the last person of a shared device has left does not say who is here now.
  if (token !== null && personOfLearner(token.learnerId) !== null) return { module, watcher: null }
  const signedMs = token?.expiresAtMs && token.expiresAtMs - ACCOUNT_TOKEN_TTL_MS
  if (token !== null && signedMs && (await isOutlived(d1, token.learnerId, { ...now, signedMs })))
    return { module, watcher: null }
  return { module, watcher: token === null ? null : watcherOf(module, token) }
}

/** Finds the version of a training with these steps, or of this number, or else the one that is published; null for a draft. */
export type FindShown = (
  module: ModuleRow,
  asked: { stepsVersion?: number | undefined; number?: number | undefined },
) => Promise<ShownVersion | null>

/**
 * Finds as which learner somebody sees a version: of a person there is one for each timeline.
 * @throws {AppError} as {@link findWatcher}
 */
export async function findLearner(
  context: Context,
  caller: Caller | null,
  {
    stepsVersion,
    since,
    findShown,
    ...asked
  }: Parameters<typeof findWatcher>[2] & {
    stepsVersion?: number | undefined
    /** Of the copy from which the page may have been opened. */
    since?: SessionToken | null
    findShown: FindShown
  },
): Promise<Awaited<ReturnType<typeof findWatcher>> & { shown: ShownVersion | null }> {
  const { module, watcher } = await findWatcher(context, caller, asked)
  const assigned = watcher?.assigned
  if (watcher === null || assigned === undefined) return { module, watcher, shown: null }
  const isTheirs = since && holderOf(since.learnerId ?? '') === holderOf(watcher.learnerId ?? '')
  const shown = await findShown(module, { stepsVersion, number: isTheirs ? since.version : undefined })
  const learnerId = personLearnerId(assigned.person, assigned.known, { nowMs: context.nowMs(), shown })
  return { module, watcher: { ...watcher, learnerId }, shown }
}

/**
 * Finds for whom a session was started, where that is a person to whom the training is still assigned, and how they were
 * known then.
 * @returns null for other learners, and for a session that is too old or from before something was taken back
 */
export async function findSessionAssigned(
  { db, nowMs }: Pick<Context, 'db' | 'nowMs'>,
  { learnerId, moduleId, startedAtMs, ...session }: SessionToken,
): Promise<(AssignedTraining & Pick<SessionToken, 'isKept'> & { person: PersonId; knownBy: KnownBy }) | null> {
  const person = learnerId === null ? null : personOfLearner(learnerId)
  const { knownBy, groupId, isKept } = session
  if (person === null || knownBy === undefined || startedAtMs + ACCOUNT_TOKEN_TTL_MS <= nowMs()) return null
  const theirs = { ...person, knownBy, groupId, signedMs: startedAtMs }
  const assigned = await findAssigned(db, theirs, moduleId)
  if (assigned !== null) return { ...assigned, person, knownBy, isKept }
  // Two entries of one person were joined meanwhile: what was played is that person's.
  const joined = await findJoined(db, theirs)
  const since = joined && (await findAssigned(db, { ...joined, knownBy, groupId, signedMs: nowMs() }, moduleId))
  return since && { ...since, person: joined, knownBy, isKept }
}

const pickKnown = ({ knownBy, groupId }: VisitorAssigned['person']) => ({ knownBy, groupId })

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
  /** Notes that a person has opened what is assigned to them. */
  noteOpened: (opened: VisitorAssigned & { wasOffline: boolean; version: number | undefined }) => Promise<void>
  findShown: FindShown
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
  { moduleId, learner, claim, page, since, limitNewLearner, moveSaid, noteOpened, ...asked }: AskedSession,
): Promise<SessionAnswer> {
  const { d1, secrets } = context
  const nowMs = context.nowMs()
  const previousSession = since === undefined ? null : await readSession(secrets, since, moduleId)
  const of = { ...asked, moduleId, learner, since: previousSession }
  const { module, watcher, shown } = await findLearner(context, caller, of)
  if (watcher === null) await limitNewLearner()
  const { learnerId, userId } = watcher ?? { learnerId: `anyone:${nanoid()}`, userId: null }
  if (userId !== null) {
    const claimed = await readLearnerToken(secrets, claim, { moduleId, nowMs })
    const from = claimed !== null && holderOf(claimed.learnerId) === null ? claimed.learnerId : null
    if (from !== null) {
      await claimLearner(d1, module, { from, to: learnerId })
      // An owner's as well: whoever erases the account is to find all of it.
      await moveSaid({ moduleId: module.id, from, userId })
    }
  }
  // The learner's reports cannot use the same time twice, so an earlier start credits nothing twice.
  const isTheirs =
    previousSession !== null &&
    previousSession.learnerId === learnerId &&
    (userId === null ||
      learnerId === null ||
      !(await isOutlived(d1, learnerId, { signedMs: previousSession.startedAtMs, nowMs })))
  const startedAtMs = isTheirs ? previousSession.startedAtMs : nowMs
  const assigned = watcher?.assigned
  const isKept = isTheirs
  const version = shown?.number
  if (assigned !== undefined) await noteOpened({ ...assigned, wasOffline: isKept, version })
  const ofPerson = assigned === undefined ? {} : { ...pickKnown(assigned.person), isKept, version }
  const session = { moduleId, learnerId, sessionId: page ?? nanoid(), startedAtMs, ...ofPerson }
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
