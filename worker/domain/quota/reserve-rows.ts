import { countWritten } from '#worker/db/count-written.ts'
import { addRows, removeRows } from './quota-store.ts'
import { type CountedModule, dayOf, makeQuota, type QuotaDeps, quotaReached, takeOne } from './take-quota.ts'

/** What counting one call writes itself: a row with two indexes, when it is reserved and when it is settled. */
const ROWS_OF_COUNTING = 6

/** Rows that count for a person until it is known how many were written. */
export interface RowReservation {
  settle: (written: number) => Promise<void>
}

/**
 * Counts the most rows that a call may write, so that however many come at once, no sum passes its limit.
 * @throws {AppError} quota_reached; nothing counts then
 */
export async function reserveRows(deps: QuotaDeps, userId: string, most: number): Promise<RowReservation> {
  const { d1, quotas, nowMs } = deps
  const use = { userId, day: dayOf(nowMs()) }
  const limit = quotas.rows
  if (limit !== null && !(await addRows(d1, { ...use, rows: most + ROWS_OF_COUNTING }, limit)))
    throw quotaReached(makeQuota('user', { kind: 'rows', limit, nowMs: nowMs() }))
  return {
    async settle(written) {
      if (limit !== null && written < most) await removeRows(d1, { ...use, rows: most - written })
    },
  }
}

/**
 * Does work with a database whose rows are counted for a person: the most of them before it, those that were written after.
 * @throws {AppError} quota_reached; nothing has been written then
 */
export async function withReservedRows<Result>(
  deps: QuotaDeps,
  { userId, most }: { userId: string; most: number },
  work: (d1: D1Database) => Promise<Result>,
): Promise<Result> {
  const reservation = await reserveRows(deps, userId, most)
  const { d1, rowsWritten } = countWritten(deps.d1)
  try {
    return await work(d1)
  } finally {
    await reservation.settle(rowsWritten())
  }
}

/** What replacing a transcript writes at most. @param segments those that are there, and those that come: a row with two indexes each */
export function rowsOfCaptions(segments: number): number {
  return 200 + 3 * segments
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
  deps: QuotaDeps,
  { userId, durationMs }: Pick<CountedModule, 'userId'> & { durationMs: number | null },
): Promise<void> {
  await takeOne(deps, 'runs', userId)
  await reserveRows(deps, userId, rowsOfRun(durationMs))
}
