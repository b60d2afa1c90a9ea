import { and, eq, inArray, sql } from 'drizzle-orm'
import { nanoid } from 'nanoid'
import type { Db } from '#worker/db/db.ts'
import { accountErasures } from '#worker/db/operation-tables.ts'

/** That everything of a person up to a time is to be erased. */
export type ErasureRow = typeof accountErasures.$inferSelect

/** Records that a person wants everything erased; a second request also covers newer data. */
export async function insertErasure(db: Db, userId: string, nowMs: number): Promise<ErasureRow> {
  const [erasure] = await db
    .insert(accountErasures)
    .values({ userId, alias: `erased_${nanoid()}`, requestedAt: nowMs })
    .onConflictDoUpdate({ target: accountErasures.userId, set: { requestedAt: sql`excluded.requested_at` } })
    .returning()
  return erasure as ErasureRow
}

/** Claims erasures that are not done: those first that were never tried, then the one that has waited longest. */
export function takeErasures(db: Db, nowMs: number, limit: number): Promise<ErasureRow[]> {
  const next = sql`(SELECT user_id FROM ${accountErasures} ORDER BY tried_at, requested_at, user_id LIMIT ${limit})`
  return db.update(accountErasures).set({ triedAt: nowMs }).where(sql`${accountErasures.userId} IN ${next}`).returning()
}

/** Puts erasures that were claimed and not begun before all others. */
export async function returnErasures(db: Db, erasures: readonly ErasureRow[]): Promise<void> {
  const userIds = erasures.map(({ userId }) => userId)
  if (userIds.length > 0)
    await db.update(accountErasures).set({ triedAt: null }).where(inArray(accountErasures.userId, userIds))
}

/** Deletes the request of a person whose data is erased, unless there is a newer request. */
export async function removeErasure(db: Db, { userId, requestedAt }: ErasureRow): Promise<void> {
  await db
    .delete(accountErasures)
    .where(and(eq(accountErasures.userId, userId), eq(accountErasures.requestedAt, requestedAt)))
}
