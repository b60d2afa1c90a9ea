import type { Context } from '#worker/context.ts'
import { continueErasure } from '#worker/domain/account/erase-account.ts'
import { listErasures } from '#worker/domain/account/erasure-store.ts'
import { upsertOutcome } from '#worker/domain/health/outcome-store.ts'
import { type AskedQueues, readBacklogs } from '#worker/domain/health/probe-parts.ts'
import { removeUnused } from '#worker/domain/image/image.ts'
import { removeErasedBefore } from '#worker/domain/learning/erased-store.ts'
import { ACCOUNT_TOKEN_TTL_MS } from '#worker/domain/learning/learning-limits.ts'
import { removeLearningUsesBefore } from '#worker/domain/learning/learning-store.ts'
import { eraseModule, settleRefund, takeToErase } from '#worker/domain/lifecycle/erase-module.ts'
import { softDeleteUpload } from '#worker/domain/module/deleted-store.ts'
import {
  ABANDONED_AFTER_MS,
  listAbandonedModules,
  listAwaitedModules,
  type ModuleRow,
} from '#worker/domain/module/module-store.ts'
import { listRefundsDue, removeUsesBefore } from '#worker/domain/quota/quota-store.ts'
import { DAY_MS, dayOf } from '#worker/domain/quota/take-quota.ts'
import { expireAudio, listExpiredAudio } from '#worker/domain/run/kept-work-store.ts'
import { resumeModule } from '#worker/domain/run/reprocess-module.ts'
import { listEndedBusy } from '#worker/domain/run/run-store.ts'
import { findNextDueMs, ring } from '#worker/domain/run/task-store.ts'
import { findToIndex, indexModule } from '#worker/domain/search/index-module.ts'
import { removeUnusedGlossaries } from '#worker/domain/translation/glossary-store.ts'
import { breakTurns, removeDaysBefore } from '#worker/domain/tutor/turn-store.ts'
import { noticeUpload } from '#worker/domain/upload/notice-upload.ts'
import { faultOf } from '#worker/errors.ts'
import { logLine, withTrace } from '#worker/log/log.ts'
import { listLateModules, recover } from '#worker/pipeline/recover.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
/** Twice the longest time that an answer may take. */
const ANSWER_LOST_AFTER_MS = 2 * 60_000
/** No quota looks further back than its own day; clocks may differ around midnight. */
const USES_KEPT_MS = 2 * DAY_MS
/** A failed module that is reprocessed reuses the audio that was cut, for as long as a deleted module is kept. */
const AUDIO_EXPIRED_AFTER_MS = 7 * DAY_MS
/**
 * How far back runs with expired audio are looked for: each minute those that have just become due, and once an hour all
 * that an outage or a full sweep has left. A machine that was off for weeks leaves the audio to the end of its module.
 */
const AUDIO_LOOKED_AT = { eachMinuteMs: AUDIO_EXPIRED_AFTER_MS + 2 * HOUR_MS, hourlyMs: 30 * DAY_MS }
/** Twice as long as they are shown. */
const DAYS_KEPT_MS = 60 * DAY_MS
/** How long an organization that has nothing yet, or no more, keeps its glossary. */
const GLOSSARY_UNUSED_MS = 30 * DAY_MS
/** How long a module rests first that a busy model has left undone, when that model has answered since, and when it has not. */
const BUSY_REST = { answeredMs: 5 * 60_000, silentMs: 60 * 60_000 }
/** Of what takes many calls, one sweep does so many; the next one is a minute away. */
const RUNS_PER_SWEEP = 20
const ERASURES_PER_SWEEP = 3
const REFUNDS_PER_SWEEP = 50

/**
 * Scheduled work: looks after every module that has gone quiet, in case its room's own watchdog did not, starts what was
 * uploaded without a notification, cancels unfinished uploads, removes what was deleted or has served its time, and marks
 * answers as interrupted whose worker has stopped. What it does is bounded; what is left is for the next sweep.
 * @returns what it did, in numbers
 */
export async function sweep(context: Context) {
  const startMs = context.nowMs()
  const counts = { ...(await sweepModules(context)), ...(await sweepRows(context)) }
  logLine('info', 'sweep', { durationMs: context.nowMs() - startMs, counts })
  return counts
}

/** In this order: what has arrived after all is not given up, and what is given up is erased later. */
async function sweepModules(context: Context) {
  const { db, d1 } = context
  const nowMs = context.nowMs()
  const lookedAtMs = nowMs % HOUR_MS < MINUTE_MS ? AUDIO_LOOKED_AT.hourlyMs : AUDIO_LOOKED_AT.eachMinuteMs
  const audioTimes = { fromMs: nowMs - lookedAtMs, beforeMs: nowMs - AUDIO_EXPIRED_AFTER_MS }
  const unfinishedMs = nowMs - ABANDONED_AFTER_MS
  let failed = 0
  /**
   * One that cannot be helped must not keep the others from it.
   * @param act answers false where there was nothing to do, or where more is to be done
   */
  const countDone = async <Item extends object>(items: Item[], act: (item: Item) => Promise<unknown>) => {
    let done = 0
    for (const item of items) {
      try {
        if ((await act(item)) !== false) done += 1
      } catch (error) {
        failed += 1
        logLine('warn', 'sweep_failed', { ...subjectOf(item), ...faultOf(error) })
      }
    }
    return done
  }
  const counts = {
    /** Runs without a heartbeat that were recovered. */
    quiet: await countDone(await listLateModules(context), ({ id }) => recover(context, id)),
    /** Modules that a busy model had left undone, and that were begun again. */
    resumed: await countDone(await listToResume(context), ({ moduleId }) => resumeModule(context, moduleId)),
    /** Uploads that may have arrived without a notification, and were looked for. */
    awaited: await countDone(await listAwaitedModules(db, unfinishedMs), ({ sourceKey }) =>
      noticeUpload(context, sourceKey),
    ),
    /** Uploads that were not resumed, and that were cancelled. */
    abandoned: await countDone(await listAbandonedModules(db, unfinishedMs), (module) => giveUp(context, module)),
    /** Uploads of which something was refunded. */
    refunded: await countDone(await listRefundsDue(d1, nowMs, REFUNDS_PER_SWEEP), (due) => settleRefund(context, due)),
    /** Accounts whose erasure was continued. */
    accounts: await countDone(await listErasures(db, ERASURES_PER_SWEEP), (due) => continueErasure(context, due)),
    /** Deleted modules that were erased, rows and objects. */
    erased: await countDone(await takeToErase(context), (module) => eraseModule(context, module)),
    /** Modules that the search index holds as they are now. */
    indexed: await countDone(await findToIndex(context), (module) => indexModule(context, module)),
    /** Failed runs whose audio was removed. */
    expired: await countDone(await listExpiredAudio(d1, { ...audioTimes, limit: RUNS_PER_SWEEP }), (id) =>
      expireAudio(context, id),
    ),
  }
  /** What could not be done and is tried again with the next sweep. */
  return { ...counts, failed }
}

/** Lists modules that a busy model has left undone; of those whose model is silent one, which finds out whether it is back. */
async function listToResume({ d1, nowMs }: Context) {
  const ended = await listEndedBusy(d1, { ...BUSY_REST, nowMs: nowMs(), limit: RUNS_PER_SWEEP })
  const probe = ended.find(({ hasAnswered }) => !hasAnswered)
  return ended.filter((each) => each.hasAnswered || each === probe)
}

/** Rings for translations that are due. @returns how many doorbells it rang */
async function ringForTranslations(context: Context): Promise<number> {
  const dueMs = await findNextDueMs(context.d1, 'translate')
  if (dueMs === null || dueMs > context.nowMs()) return 0
  await ring(context, 'translate')
  return 1
}

async function sweepRows(context: Context) {
  const { db, d1 } = context
  const nowMs = context.nowMs()
  const lastUsesDay = dayOf(nowMs - USES_KEPT_MS)
  return {
    /** Whether translations were due that no consumer was rung for. */
    translations: await ringForTranslations(context),
    /** Answers whose worker has stopped. */
    answers: await breakTurns(db, { beforeMs: nowMs - ANSWER_LOST_AFTER_MS }, nowMs),
    /** Images that no step shows any more. */
    images: await removeUnused(context),
    /** Quota rows of past days. */
    days: await removeDaysBefore(db, dayOf(nowMs - DAYS_KEPT_MS)),
    /** What was counted towards quotas of days that are over. */
    uses:
      (await removeUsesBefore(d1, lastUsesDay, dayOf(nowMs - DAYS_KEPT_MS))) +
      (await removeLearningUsesBefore(d1, lastUsesDay)),
    /** Erasures that no learner's token is older than. */
    erasures: await removeErasedBefore(d1, nowMs - ACCOUNT_TOKEN_TTL_MS),
    /** Glossaries of organizations that have nothing any more. */
    glossaries: nowMs % HOUR_MS < MINUTE_MS ? await removeUnusedGlossaries(d1, nowMs - GLOSSARY_UNUSED_MS) : 0,
  }
}

/** A machine that was off for a day may find an upload that has arrived after all. */
async function giveUp(context: Context, module: ModuleRow): Promise<boolean> {
  if ((await noticeUpload(context, module.sourceKey)) === 'received') return false
  return softDeleteUpload(context.db, module.id, context.nowMs())
}

/** Which module it is about, or whose erasure. */
function subjectOf(item: { moduleId?: string; id?: string; userId?: string }): { moduleId?: string; userId?: string } {
  const moduleId = item.moduleId ?? item.id
  if (moduleId !== undefined) return { moduleId }
  return item.userId === undefined ? {} : { userId: item.userId }
}

/** One scheduled run: sweeps, writes down what waits in the queues, and leaves a sign that it was there. */
export function runSweep(context: Context, queues: AskedQueues): Promise<void> {
  return withTrace({ requestId: crypto.randomUUID() }, async () => {
    try {
      await sweep(context)
      await upsertOutcome(context.d1, { part: 'sweep', code: null, nowMs: context.nowMs() })
      await logBacklogs(queues, context.nowMs())
    } catch (error) {
      // The next sweep is in a minute, and checks everything again.
      logLine('error', 'sweep', { outcome: 'failed', ...faultOf(error) })
      throw error
    }
  })
}

async function logBacklogs(queues: AskedQueues, nowMs: number): Promise<void> {
  try {
    const backlogs = await readBacklogs(queues, nowMs)
    logLine('info', 'backlog', { counts: Object.fromEntries(backlogs.map(({ queue, count }) => [queue, count])) })
  } catch (error) {
    logLine('warn', 'backlog', { outcome: 'failed', ...faultOf(error) })
  }
}
