import { INVITATION_DAYS } from '#contract/limits.ts'
import { DAY_MS } from '#contract/time/day.ts'
import type { BoundedContext, Context } from '#worker/core/context.ts'
import { faultOf } from '#worker/core/errors.ts'
import { continueErasure } from '#worker/domain/account/erase-account.ts'
import { returnErasures, takeErasures } from '#worker/domain/account/erasure-store.ts'
import { settleLate } from '#worker/domain/assignment/assign-trainings.ts'
import { listToSettle } from '#worker/domain/assignment/assignment-store.ts'
import type { SweptPart } from '#worker/domain/health/swept-parts.ts'
import { removeUnused } from '#worker/domain/image/image.ts'
import { removeErasedBefore } from '#worker/domain/learning/erased-store.ts'
import { ACCOUNT_TOKEN_TTL_MS } from '#worker/domain/learning/learning-limits.ts'
import { removeLearningUsesBefore } from '#worker/domain/learning/learning-store.ts'
import { eraseModule, settleRefund, takeToErase } from '#worker/domain/lifecycle/erase-module.ts'
import { keepPlace, softDeleteUpload } from '#worker/domain/module/deleted-store.ts'
import { removeEnded } from '#worker/domain/module/invitation-store.ts'
import {
  ABANDONED_AFTER_MS,
  listAbandonedModules,
  listAwaitedModules,
  type ModuleRow,
} from '#worker/domain/module/module-store.ts'
import { removeMissedEvents } from '#worker/domain/notice/notice-store.ts'
import { removeUnusedSettings } from '#worker/domain/organization/settings-store.ts'
import { listRefundsDue, removeUsesBefore } from '#worker/domain/quota/quota-store.ts'
import { dayOf } from '#worker/domain/quota/take-quota.ts'
import { listWithoutCheckpoint, logBrokenLists, takeCheckpoint } from '#worker/domain/record/checkpoint.ts'
import { removeWaitingPhotos } from '#worker/domain/record/record-photo.ts'
import { listDueRemovals, removeRecords } from '#worker/domain/record/remove-records.ts'
import { listToPlan, planReminders } from '#worker/domain/reminder/plan-reminders.ts'
import { askAgain } from '#worker/domain/retraining/ask-again.ts'
import { listUnasked } from '#worker/domain/retraining/retraining-store.ts'
import { carryTasksOver, removeErasedTasks } from '#worker/domain/run/carry-tasks.ts'
import { expireAudio, listExpiredAudio } from '#worker/domain/run/kept-work-store.ts'
import { resumeModule } from '#worker/domain/run/reprocess-module.ts'
import { listEndedBusy } from '#worker/domain/run/run-store.ts'
import { findToIndex, indexModule } from '#worker/domain/search/index-module.ts'
import { forgetRemoved } from '#worker/domain/step/removed-store.ts'
import { removeExpiredReports } from '#worker/domain/step-report/report-photo.ts'
import { breakTurns, removeDaysBefore } from '#worker/domain/tutor/turn-store.ts'
import { handleUploadCreated } from '#worker/domain/upload/handle-upload-created.ts'
import { logLine } from '#worker/log/log.ts'
import { listLateModules, recover } from '#worker/pipeline/recover.ts'
import { TASK_HANDLERS } from '#worker/pipeline/task-handlers.ts'
import { ringForDue } from '#worker/tasks/recover.ts'

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
/** How long an owner still sees that an invitation has ended. */
const ENDED_SHOWN_MS = INVITATION_DAYS * DAY_MS
/** How long an organization that has nothing yet, or no more, keeps its settings. */
const SETTINGS_UNUSED_MS = 30 * DAY_MS
/**
 * How long a module that failed because of a busy model waits before it is resumed: if that model has answered since,
 * and if it has not.
 */
const BUSY_REST = { answeredMs: 5 * 60_000, silentMs: 60 * 60_000 }
/** Days begin with an hour; what one sweep cannot look up, the next ones do within so long. */
const PLANNED_FOR_MS = 10 * MINUTE_MS
/** Limits per sweep for items that take many calls; the next sweep is a minute away. */
const RUNS_PER_SWEEP = 20
const ERASURES_PER_SWEEP = 20
const REFUNDS_PER_SWEEP = 50
const VERSIONS_PER_SWEEP = 10
const ASSIGNMENTS_PER_SWEEP = 10

/** Result of one part of a sweep. */
export interface PartDone {
  /** In numbers; `failed` is what could not be done and is tried again with the next sweep. */
  counts: Record<string, number>
  /** How many items were left to the next sweep, because the queries of this invocation were used up. */
  left: number
  /** Queries of D1 that it made. */
  queries: number
}

/** What the parts of a sweep are given. */
interface SweepContext extends BoundedContext {
  /** Whether this Adapt can send mail. */
  canMail: boolean
}

/** Runs one part of a sweep in its own invocation. Its work is bounded; the remaining items wait for the next sweep. */
export async function sweepPart(part: SweptPart, context: SweepContext): Promise<PartDone> {
  const { left: itemsLeft, ...counts } = await PARTS[part](context)
  return { counts, left: itemsLeft ?? 0, queries: context.queries() }
}

interface Counts {
  [count: string]: number
}

const PARTS: Record<SweptPart, (context: SweepContext) => Promise<Counts>> = {
  /** Tasks that a version before has added, and doorbells for those that were due, of subjects without a watchdog. */
  tasks: async (context) => {
    await removeErasedTasks(context.d1)
    return { carried: await carryTasksOver(context), rung: await ringForDue(context, TASK_HANDLERS) }
  },

  /** Runs without a heartbeat that were recovered. */
  quiet: async (context) => doEach(context, 'quiet', await listLateModules(context), ({ id }) => recover(context, id)),

  /** Modules that failed because of a busy model and were resumed. */
  resumed: async (context) =>
    doEach(context, 'resumed', await listToResume(context), ({ moduleId }) => resumeModule(context, moduleId)),

  /** Uploads that may have arrived without a notification, and were checked. */
  awaited: async (context) =>
    doEach(context, 'awaited', await listAwaitedModules(context.db, unfinishedSince(context)), ({ sourceKey }) =>
      handleUploadCreated(context, sourceKey),
    ),

  /** Uploads that were not resumed, and that were cancelled. */
  abandoned: async (context) =>
    doEach(context, 'abandoned', await listAbandonedModules(context.db, unfinishedSince(context)), (module) =>
      giveUp(context, module),
    ),

  /** Uploads of which something was refunded. */
  refunded: async (context) =>
    doEach(context, 'refunded', await listRefundsDue(context.d1, context.nowMs(), REFUNDS_PER_SWEEP), (due) =>
      settleRefund(context, due),
    ),

  /** Accounts whose erasure was continued. */
  accounts: async (context) => {
    const taken = await takeErasures(context.db, context.nowMs(), ERASURES_PER_SWEEP)
    const counts = await doEach(context, 'accounts', taken, (due) => continueErasure(context, due))
    await returnErasures(context.db, leftOf(taken, counts))
    return counts
  },

  /** Deleted modules that were erased, rows and objects. */
  erased: async (context) => {
    const taken = await takeToErase(context)
    const counts = await doEach(context, 'erased', taken, (module) => eraseModule(context, module))
    for (const { id } of leftOf(taken, counts)) await keepPlace(context.db, id)
    return counts
  },

  /** Modules that the search index holds as they are now. */
  indexed: async (context) =>
    doEach(context, 'indexed', await findToIndex(context), (module) => indexModule(context, module)),

  /** Failed runs whose audio was removed. */
  expired: async (context) => doEach(context, 'expired', await listExpired(context), (id) => expireAudio(context, id)),

  /** Versions of which it was recorded who is to be trained again. */
  asked: async (context) =>
    doEach(context, 'asked', await listUnasked(context.d1, VERSIONS_PER_SWEEP), (version) =>
      askAgain(context, version),
    ),

  /** Images that no step shows any more, photos of reports that have had their time, and those that nobody has signed. */
  images: async (context) => ({
    images: await removeUnused(context),
    reports: await removeExpiredReports(context),
    photos: context.nowMs() % HOUR_MS < PLANNED_FOR_MS ? await removeWaitingPhotos(context) : 0,
  }),

  records: sweepRecords,

  /** Organizations in which it was looked up what is due, once a day. Events that nobody misses any more go before. */
  reminders: async (context) => {
    const isTime = context.nowMs() % HOUR_MS < PLANNED_FOR_MS
    if (isTime) await removeMissedEvents(context.d1, context.nowMs())
    return doEach(context, 'reminders', isTime ? await listToPlan(context) : [], (org) => planReminders(context, org))
  },

  rows: sweepRows,
}

/**
 * Processes items one after the other while queries remain. An item that fails does not stop the others.
 * @param act answers false where there was nothing to do, or where more is to be done
 */
async function doEach<Item extends object>(
  { hasQueriesLeft }: BoundedContext,
  name: string,
  items: Item[],
  act: (item: Item) => Promise<unknown>,
): Promise<Counts> {
  let [done, failed, begun] = [0, 0, 0]
  for (const item of items) {
    if (!hasQueriesLeft()) break
    begun += 1
    try {
      if ((await act(item)) !== false) done += 1
    } catch (error) {
      failed += 1
      logLine('warn', 'sweep_failed', { ...subjectOf(item), ...faultOf(error) })
    }
  }
  return { [name]: done, failed, left: items.length - begun }
}

/** What {@link doEach} has not begun. */
function leftOf<Item>(items: Item[], counts: Counts): Item[] {
  return items.slice(items.length - (counts['left'] ?? 0))
}

/** Identifies an item for the log: its module, or the user whose data is erased. */
function subjectOf(item: { moduleId?: string; id?: string; userId?: string }): { moduleId?: string; userId?: string } {
  const moduleId = item.moduleId ?? item.id
  if (moduleId !== undefined) return { moduleId }
  return item.userId === undefined ? {} : { userId: item.userId }
}

const unfinishedSince = ({ nowMs }: Context) => nowMs() - ABANDONED_AFTER_MS

/**
 * Lists modules that failed because of a busy model. If the model has not answered since, only one of them is listed,
 * to test whether it is back.
 */
async function listToResume({ d1, nowMs }: Context) {
  const ended = await listEndedBusy(d1, { ...BUSY_REST, nowMs: nowMs(), limit: RUNS_PER_SWEEP })
  const probe = ended.find(({ hasAnswered }) => !hasAnswered)
  return ended.filter((each) => each.hasAnswered || each === probe)
}

/** A machine that was off for a day may find an upload that has arrived after all. */
async function giveUp(context: Context, module: ModuleRow): Promise<boolean> {
  if ((await handleUploadCreated(context, module.sourceKey)) === 'received') return false
  return softDeleteUpload(context.db, module.id, context.nowMs())
}

function listExpired(context: Context) {
  const nowMs = context.nowMs()
  const lookedAtMs = nowMs % HOUR_MS < MINUTE_MS ? AUDIO_LOOKED_AT.hourlyMs : AUDIO_LOOKED_AT.eachMinuteMs
  const times = { fromMs: nowMs - lookedAtMs, beforeMs: nowMs - AUDIO_EXPIRED_AFTER_MS }
  return listExpiredAudio(context.d1, { ...times, limit: RUNS_PER_SWEEP })
}

/**
 * Organizations whose newest record a checkpoint has now, assignments whose people and trainings are recorded now, and
 * organizations whose oldest records were removed after their time.
 */
async function sweepRecords(context: BoundedContext): Promise<Counts> {
  const { db, d1, nowMs } = context
  const isHour = nowMs() % HOUR_MS < MINUTE_MS
  if (isHour) await logBrokenLists(d1)
  const changed = isHour ? await listWithoutCheckpoint(d1, nowMs()) : []
  const kept = await doEach(context, 'checkpoints', changed, ({ orgId }) => takeCheckpoint(context, orgId))
  const toSettle = (await listToSettle(db, nowMs(), ASSIGNMENTS_PER_SWEEP)).map((row) => ({ row }))
  const settled = await doEach(context, 'assignments', toSettle, ({ row }) => settleLate(context, row))
  const due = await listDueRemovals(d1, nowMs())
  const removed = await doEach(context, 'records', due, (each) => removeRecords(context, each))
  const sum = (count: string) => (kept[count] ?? 0) + (settled[count] ?? 0) + (removed[count] ?? 0)
  return { ...kept, ...settled, ...removed, failed: sum('failed'), left: sum('left') }
}

/** Runs the parts that need only a query or two, however many rows they find. */
async function sweepRows(context: BoundedContext): Promise<Counts> {
  const { db, d1 } = context
  const nowMs = context.nowMs()
  const lastUsesDay = dayOf(nowMs - USES_KEPT_MS)
  const isHour = nowMs % HOUR_MS < MINUTE_MS
  const acts: Record<string, () => Promise<number>> = {
    /** Answers whose worker has stopped. */
    answers: () => breakTurns(db, { beforeMs: nowMs - ANSWER_LOST_AFTER_MS }, nowMs),
    /** Quota rows of past days. */
    days: () => removeDaysBefore(db, dayOf(nowMs - DAYS_KEPT_MS)),
    /** What was counted towards quotas of days that are over. */
    uses: async () =>
      (await removeUsesBefore(d1, lastUsesDay, dayOf(nowMs - DAYS_KEPT_MS))) +
      (await removeLearningUsesBefore(d1, lastUsesDay)),
    /** Removed steps that can no longer be restored. */
    steps: () => forgetRemoved(d1, nowMs),
    /** Erasures that no learner's token is older than. */
    erasures: () => removeErasedBefore(d1, nowMs - ACCOUNT_TOKEN_TTL_MS),
    /** Settings of organizations that have nothing any more. */
    glossaries: async () => (isHour ? removeUnusedSettings(d1, nowMs - SETTINGS_UNUSED_MS) : 0),
    /** Invitations that nobody has accepted. */
    invitations: async () => (isHour ? removeEnded(d1, nowMs - ENDED_SHOWN_MS) : 0),
  }
  const counts: Counts = { failed: 0 }
  for (const [name, act] of Object.entries(acts)) {
    counts[name] = await act().catch((error: unknown) => {
      logLine('warn', 'sweep_failed', { stage: name, ...faultOf(error) })
      counts['failed'] = (counts['failed'] ?? 0) + 1
      return 0
    })
  }
  return counts
}
