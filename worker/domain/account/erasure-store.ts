import { and, eq, sql } from 'drizzle-orm'
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

/** Some of the erasures that are not done: by chance, so that those which cannot be done keep no other waiting. */
export function listErasures(db: Db, limit: number): Promise<ErasureRow[]> {
  return db.select().from(accountErasures).orderBy(sql`random()`).limit(limit)
}

/** Deletes the request of a person whose data is erased, unless there is a newer request. */
export async function removeErasure(db: Db, { userId, requestedAt }: ErasureRow): Promise<void> {
  await db
    .delete(accountErasures)
    .where(and(eq(accountErasures.userId, userId), eq(accountErasures.requestedAt, requestedAt)))
}
