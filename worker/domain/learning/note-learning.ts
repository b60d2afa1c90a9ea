import type { LearnerProgress, LearningReport } from '#contract/learning.ts'
import { lengthOf, type TimeRanges } from '#contract/time/time-ranges.ts'
import { percentOfShown } from '#contract/time/visible-time.ts'
import type { Context } from '#worker/core/context.ts'
import { AppError } from '#worker/core/errors.ts'
import type { ModuleRow } from '#worker/domain/module/module-store.ts'
import { dayOf } from '#worker/domain/quota/take-quota.ts'
import { applyReport, NEW_LEARNER, readPlayed } from './apply-report.ts'
import { boundSegments, writePlayed } from './bound-ranges.ts'
import { type Credit, creditReport } from './credit-report.ts'
import { type Learner } from './learner.ts'
import { holderOf, type SessionToken } from './learner-token.ts'
import { listUses, PLAYED_MAX_CHARS, STEPS_PER_REPORT } from './learning-limits.ts'
import { isOverLimit, readLearner, type StoredSession, writeReport } from './learning-store.ts'
import { addSums, type LearningSums, listChangedSteps, NO_SUMS, sumLearner } from './learning-sums.ts'

/** Each conflict needs another tab that wrote in between; five in a row mean a fault. */
const TRIES = 5
/** Reports over the limit of a day are retried after this time; the day may have ended by then. */
const OVER_RETRY_S = 1_800

/** How far a learner is now, and what of it the clock allows. */
interface NotedProgress {
  progress: LearnerProgress
  verified: TimeRanges
}

/** A report, and where it comes from. */
interface SentReport {
  session: SessionToken
  report: Pick<LearningReport, 'seq' | 'segments' | 'position'>
  /** The results of `networkOf` and `siteOf`. */
  network: string | null
  site: string | null
}

/**
 * Counts what a learner's page has played; a repeated report changes nothing.
 * @throws {AppError} too_early while the length of the video is not known or the report is ahead of the clock,
 * quota_reached when the day's limit is, unavailable when too many come at once
 */
export async function noteLearning(
  { d1, secrets, nowMs: now }: Pick<Context, 'd1' | 'secrets' | 'nowMs'>,
  module: ModuleRow,
  { session, report, network, site }: SentReport,
): Promise<NotedProgress> {
  const durationS = durationOf(module)
  const nowMs = now()
  const { learnerId } = session
  if (learnerId === null) return noted(NEW_LEARNER, module)
  const id = { moduleId: module.id, learnerId }
  const day = dayOf(nowMs)
  const reporter = { ...id, holder: holderOf(learnerId), network, site, day }
  for (let attempt = 0; attempt < TRIES; attempt++) {
    const before = await readLearner(d1, id, session.sessionId)
    const storedSession = before.session
    if (before.learner !== null && storedSession !== null && storedSession.seq >= report.seq)
      return noted(before.learner, module)
    const { creditedUntilMs } = before.learner ?? NEW_LEARNER
    const clock = { startedAtMs: session.startedAtMs, creditedUntilMs, nowMs }
    const credit = getCredit({ ...clock, segments: report.segments, durationS })
    const after = applyReport(before.learner ?? NEW_LEARNER, report, { durationS, credit })
    const video = { durationS, steps: before.countedSteps }
    const was = before.learner === null ? NO_SUMS : sumLearner(before.learner, video)
    const change = addSums(sumLearner(after, video), was, -1)
    const isNew = before.learner === null
    const uses = await listUses(secrets, reporter, {
      isNew,
      reports: countAsReports(change, storedSession),
      number: before.version + 1,
    })
    const isWritten = await writeReport(d1, {
      id,
      before,
      after,
      uses,
      nowMs,
      day,
      isCompleted: percentOfVisible(after.seen.once, module) >= module.completionPercent,
      change,
      session: {
        ...extendSession(storedSession, { report, credit, durationS }),
        ...session,
        isNew: storedSession === null,
      },
    })
    if (isWritten) return noted(after, module)
    if (await isOverLimit(d1, day, uses)) {
      const message =
        'Very much was watched today, here or in your network. Your progress is kept in this browser and saved later.'
      throw new AppError('quota_reached', message, { retryAfterS: OVER_RETRY_S })
    }
  }
  throw new AppError('unavailable', 'Your progress could not be saved right now. It is sent again.', { retryAfterS: 1 })
}

/**
 * A report that changes many steps writes a row for each, so it counts as the reports that playing them takes; the first
 * one of an opened page writes as much as two.
 */
function countAsReports(change: LearningSums, storedSession: StoredSession | null): number {
  return Math.max(1, Math.ceil(listChangedSteps(change).length / STEPS_PER_REPORT)) + Number(storedSession === null)
}

function getCredit(input: Parameters<typeof creditReport>[0]): Exclude<Credit, { kind: 'early' }> {
  const credit = creditReport(input)
  if (credit.kind !== 'early') return credit
  throw new AppError('too_early', 'This was reported faster than it can be played. It is sent again.', {
    retryAfterS: credit.waitS,
  })
}

function extendSession(
  storedSession: StoredSession | null,
  { report, credit, durationS }: { report: SentReport['report']; credit: Credit; durationS: number },
): StoredSession {
  const fresh = report.segments.map(([from, to]) => [from, Math.min(to, durationS)] as const)
  const played = boundSegments([...readPlayed(storedSession?.played ?? ''), ...fresh], PLAYED_MAX_CHARS)
  const isSelfReported =
    storedSession?.isSelfReported === true || (credit.kind === 'selfReported' && lengthOf(played) > 0)
  return { seq: report.seq, played: writePlayed(played), isSelfReported }
}

/** Returns what a learner has seen so far; nothing for one who is not known. @param learnerId null for an owner, or a new learner */
export async function findProgress(
  d1: D1Database,
  module: ModuleRow,
  learnerId: string | null,
): Promise<LearnerProgress> {
  const stored = learnerId === null ? null : await readLearner(d1, { moduleId: module.id, learnerId })
  return presentProgress(stored?.learner ?? NEW_LEARNER, module)
}

function durationOf({ durationMs }: ModuleRow): number {
  if (durationMs === null) {
    throw new AppError('too_early', 'This video is still being prepared.', { retryAfterS: 10 })
  }
  return durationMs / 1000
}

/** Percent of what is shown that was seen. */
function percentOfVisible(seen: TimeRanges, { durationMs, cuts }: ModuleRow): number {
  return percentOfShown(seen, { durationS: (durationMs ?? 0) / 1000, cuts })
}

function noted(learner: Learner, module: ModuleRow): NotedProgress {
  return { progress: presentProgress(learner, module), verified: learner.verified }
}

function presentProgress({ seen, positionS }: Learner, module: ModuleRow): LearnerProgress {
  const percent = percentOfVisible(seen.once, module)
  return {
    seen: seen.once.map(([from, to]) => [from, to] as [number, number]),
    percent,
    isCompleted: percent >= module.completionPercent,
    position: positionS,
  }
}
