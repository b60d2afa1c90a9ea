import { describeQuota, type Quota, type QuotaHolder, type QuotaKind } from '#contract/problem.ts'
import { DAY_MS } from '#contract/time/day.ts'
import type { Context, Limits, Quotas } from '#worker/core/context.ts'
import { AppError } from '#worker/core/errors.ts'
import { countD1 } from '#worker/db/db.ts'
import type { modules } from '#worker/db/schema.ts'
import { toIso } from '#worker/domain/to-iso.ts'
import {
  addOfPerson,
  EVERYONE,
  pay,
  type QuotaUse,
  type RowKind,
  readUses,
  refundUse,
  takeOnce,
} from './quota-store.ts'

/** How many counted units make one unit that users configure and read. */
export const UNITS: Readonly<Record<QuotaKind, number>> = {
  modules: 1,
  minutes: 60_000,
  ai: 1_000_000,
  feedback: 1,
  questions: 1,
  runs: 1,
  photos: 1,
  rows: 1,
  bytes: 1,
}

/**
 * Several times what busy hands do in a day. A piece of feedback keeps at most 8,000 characters, so 100 are 2.4 MB at three
 * bytes each; a question with its answer some 10 kB, so 500 are 5 MB; a run writes as many rows as its video has sections;
 * a photo has at most 150 kB, so 300 are 45 MB.
 */
export const USER_ROWS_PER_DAY: Readonly<Record<RowKind, number>> = {
  feedback: 100,
  questions: 500,
  runs: 200,
  photos: 300,
}
const NO_ROW_LIMIT: Readonly<Record<RowKind, null>> = { feedback: null, questions: null, runs: null, photos: null }

/**
 * Opens the limits. They are read when they are used: one that is neither empty nor a number of at least 0 throws then,
 * and refuses only what it limits.
 */
export function makeQuotas(env: Env): Quotas {
  return {
    get user() {
      return {
        modules: readLimit('modules', env.USER_MODULES_PER_DAY),
        minutes: readLimit('minutes', env.USER_MINUTES_PER_DAY),
        ai: readLimit('ai', env.USER_AI_USD_PER_DAY),
        bytes: readLimit('bytes', env.USER_UPLOAD_BYTES_PER_DAY),
        ...USER_ROWS_PER_DAY,
      }
    },
    get organization() {
      return {
        modules: readLimit('modules', env.ORG_MODULES_PER_DAY),
        minutes: readLimit('minutes', env.ORG_MINUTES_PER_DAY),
        ai: readLimit('ai', env.ORG_AI_USD_PER_DAY),
        bytes: readLimit('bytes', env.ORG_UPLOAD_BYTES_PER_DAY),
        ...NO_ROW_LIMIT,
      }
    },
    get everyone() {
      return { ai: readLimit('ai', env.TOTAL_AI_USD_PER_DAY) }
    },
    get mails() {
      return {
        organization: readLimit('mails', env.ORG_MAILS_PER_DAY),
        everyone: readLimit('mails', env.TOTAL_MAILS_PER_DAY),
      }
    },
    get rows() {
      return readLimit('rows', env.USER_WRITTEN_ROWS_PER_DAY)
    },
  }
}

function readLimit(kind: QuotaKind | 'mails', text: string): number | null {
  if (text.trim() === '') return null
  const limit = Number(text)
  // Every comparison with NaN is false: a typing error would mean no limit at all.
  if (!(limit >= 0)) throw new Error(`The quota of ${kind} is not a number: ${text}`)
  return Math.round(limit * (kind === 'mails' ? 1 : UNITS[kind]))
}

/** Whether anything of this kind is limited, for anybody. */
export function isLimited({ user, organization, everyone }: Quotas, kind: keyof Limits): boolean {
  return user[kind] !== null || organization[kind] !== null || (kind === 'ai' && everyone.ai !== null)
}

/** What counting reaches. */
export type QuotaContext = Pick<Context, 'd1' | 'quotas' | 'nowMs'>

/** A module with whom it counts for. */
export type CountedModule = Pick<typeof modules.$inferSelect, 'id' | 'userId' | 'orgId'>

/** `2026-11-21`, UTC. */
export function dayOf(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10)
}

/** Counts a module among those of its day, once. @throws {AppError} quota_reached; nothing counts then */
export function takeModule(context: QuotaContext, module: CountedModule): Promise<void> {
  return take(context, module, { kind: 'modules', amount: 1 })
}

/**
 * Counts a video's length; of two calls for one video, the longer length counts.
 * @throws {AppError} quota_reached; what counted before still does
 */
export function takeMinutes(context: QuotaContext, module: CountedModule, durationMs: number): Promise<void> {
  return take(context, module, { kind: 'minutes', amount: durationMs })
}

/** Reserves the bytes of a module's video, once. @throws {AppError} quota_reached; nothing counts then */
export function takeBytes(context: QuotaContext, module: CountedModule, sizeBytes: number): Promise<void> {
  return take(context, module, { kind: 'bytes', amount: sizeBytes })
}

/**
 * Counts one piece of feedback, one question, one run that a person asks for, or one photo of a sign-off.
 * @throws {AppError} quota_reached; nothing counts then
 */
export async function takeOne({ d1, quotas, nowMs }: QuotaContext, kind: RowKind, userId: string): Promise<void> {
  const limit = quotas.user[kind]
  if (limit === null || (await addOfPerson(d1, { kind, userId, day: dayOf(nowMs()), amount: 1 }, limit))) return
  throw quotaReached(makeQuota('user', { kind, limit, nowMs: nowMs() }), nowMs())
}

/**
 * Adds the bytes of an address that is handed out to what counts for a module today.
 * @throws {AppError} quota_reached; nothing is added then
 */
export function addUse(
  context: QuotaContext,
  module: CountedModule,
  what: { kind: 'bytes'; amount: number },
): Promise<void> {
  return take(context, module, what, pay)
}

async function take(
  context: QuotaContext,
  { id, userId, orgId }: CountedModule,
  what: Pick<QuotaUse, 'amount'> & { kind: Exclude<keyof Limits, 'ai'> },
  count: typeof takeOnce = takeOnce,
): Promise<void> {
  if (!isLimited(context.quotas, what.kind)) return
  const use: QuotaUse = { ...what, moduleId: id, userId, orgId, day: dayOf(context.nowMs()) }
  if (await count(context.d1, use, context.quotas)) return
  throw quotaReached(await findReached(context, use), context.nowMs())
}

type AskedUse = Pick<QuotaUse, 'kind' | 'day' | 'userId' | 'orgId' | 'amount'>

/** Finds the limit that a use does not fit under. What has been refunded meanwhile was over the person's own. */
export async function findReached(context: QuotaContext, use: AskedUse): Promise<Quota> {
  const { kind } = use
  const ofUser = { kind, limit: context.quotas.user[kind], nowMs: context.nowMs() }
  return (await findOver(context, use)) ?? makeQuota('user', ofUser)
}

/** Finds the limit that a use would pass now; null where it fits under all of them. */
export async function findOver({ d1, quotas, nowMs }: QuotaContext, use: AskedUse): Promise<Quota | null> {
  const { kind, amount, orgId } = use
  const quotaOver = (of: QuotaHolder, used: number, limit: number | null) =>
    limit !== null && used + amount > limit ? makeQuota(of, { kind, limit, nowMs: nowMs() }) : null
  const ofEveryone = kind === 'ai' ? quotas.everyone.ai : null
  const all = ofEveryone === null ? null : await readUses(d1, { ...use, userId: EVERYONE, orgId: null })
  const overAll = all && quotaOver('everyone', all.user, ofEveryone)
  if (overAll !== null) return overAll
  const used = await readUses(d1, use)
  const overOrg = orgId === null ? null : quotaOver('organization', used.organization, quotas.organization[kind])
  return overOrg ?? quotaOver('user', used.user, quotas.user[kind])
}

/** The limit as a caller reads it. */
function makeQuota(
  of: QuotaHolder,
  { kind, limit, nowMs }: { kind: QuotaKind; limit: number | null; nowMs: number },
): Quota {
  const opensMs = (Math.floor(nowMs / DAY_MS) + 1) * DAY_MS
  return { kind, of, limit: (limit ?? 0) / UNITS[kind], opensAt: toIso(opensMs) }
}

/** Describes a reached quota in UTC, because the server does not know the person's time zone. */
export function sayReached(quota: Quota): string {
  return describeQuota(quota, `at 00:00 UTC (${quota.opensAt.slice(0, 10)})`)
}

/** The one place where a quota becomes a failure that a caller reads. */
export function quotaReached(quota: Quota, nowMs: number): AppError {
  const retryAfterS = Math.max(1, Math.ceil((Date.parse(quota.opensAt) - nowMs) / 1000))
  return new AppError('quota_reached', sayReached(quota), { retryAfterS, extensions: { quota } })
}

/** What counting one call writes itself: a row with two indexes, when it is reserved and when it is settled. */
const ROWS_OF_COUNTING = 6

/**
 * Counts the most rows that a call may write, so that however many come at once, no sum passes its limit.
 * @throws {AppError} quota_reached; nothing counts then
 */
export async function reserveRows({ d1, quotas, nowMs }: QuotaContext, userId: string, most: number) {
  const day = dayOf(nowMs())
  const limit = quotas.rows
  const use = { kind: 'rows', userId, day, amount: most + ROWS_OF_COUNTING } as const
  if (limit !== null && !(await addOfPerson(d1, use, limit)))
    throw quotaReached(makeQuota('user', { kind: 'rows', limit, nowMs: nowMs() }), nowMs())
  const counted = countD1(d1)
  return {
    /** The database that counts the rows written through it. */
    d1: counted.d1,
    /** Refunds the reserved rows that were not written. */
    settle: async (): Promise<void> => {
      const unwritten = most - counted.rowsWritten()
      if (limit === null || unwritten <= 0) return
      await refundUse(d1, { kind: 'rows', moduleId: userId, day, amount: unwritten })
    },
  }
}

/** What the jobs of a run write in the database: for each minute of the video, and in any case. */
export const ROWS_OF_RUN = { perMinute: 100, base: 200 } as const

/** What the jobs of a run write at most. @param durationMs null where it is not known yet */
export function rowsOfRun(durationMs: number | null): number {
  return ROWS_OF_RUN.base + Math.ceil(((durationMs ?? 0) / 60_000) * ROWS_OF_RUN.perMinute)
}

/**
 * Counts a run that a person asks for, with the rows that it will write.
 * @throws {AppError} quota_reached; nothing counts then but perhaps the run
 */
export async function takeRun(
  context: QuotaContext,
  { userId, durationMs }: Pick<CountedModule, 'userId'> & { durationMs: number | null },
): Promise<void> {
  await takeOne(context, 'runs', userId)
  await reserveRows(context, userId, rowsOfRun(durationMs))
}

/** What the sweep writes of those who are to be trained again because of a version: of each of them, and in any case. */
const ROWS_OF_RETRAINING = { perPerson: 7, base: 3 } as const

/** What recording who is to be trained again writes at most: no two of them may be asked for the same steps. */
export function rowsOfRetraining(people: number): number {
  return ROWS_OF_RETRAINING.base + people * ROWS_OF_RETRAINING.perPerson
}

/**
 * Counts the rows that the sweep will write because of a version.
 * @param people who may be asked again
 * @throws {AppError} quota_reached; nothing counts then
 */
export async function takeRetraining(
  context: QuotaContext,
  { userId, people }: Pick<CountedModule, 'userId'> & { people: number },
): Promise<void> {
  if (people > 0) await reserveRows(context, userId, rowsOfRetraining(people))
}
