import { and, asc, desc, eq, getTableColumns, gt, isNotNull, isNull, lte, type SQL, sql } from 'drizzle-orm'
import { COLLECTIONS_MAX } from '#contract/limits.ts'
import type { Db } from '#worker/db/db.ts'
import type { PageAt } from '#worker/db/read-pages.ts'
import { assignments } from '#worker/db/record-tables.ts'
import { collections } from '#worker/db/share-tables.ts'
import type { Caller } from '#worker/ports/identity.ts'

/** A collection as it is kept. */
export type CollectionRow = typeof collections.$inferSelect

type Owner = Pick<Caller, 'userId' | 'orgId'>

/** Of the organization, or else of the person alone. */
function isOf({ userId, orgId }: Owner): SQL | undefined {
  return orgId === null ? and(eq(collections.userId, userId), isNull(collections.orgId)) : eq(collections.orgId, orgId)
}

/** A collection by its id. @returns null when there is none */
export async function findCollection(db: Db, id: string): Promise<CollectionRow | null> {
  return (await db.select().from(collections).where(eq(collections.id, id)).get()) ?? null
}

/** How many modules its owner still has of a collection. */
const MODULE_COUNT = sql<number>`(SELECT count(*) FROM json_each(${collections.moduleIds}) AS listed
  JOIN modules AS m ON m.id = listed.value WHERE m.received_at IS NOT NULL
  AND CASE WHEN ${collections.orgId} IS NULL THEN m.user_id = ${collections.userId} ELSE m.org_id = ${collections.orgId} END)`

/** Lists the ids of the shared collections in which an owner has a module. */
export async function listCollectionsWith(db: Db, { id, userId, orgId }: Owner & { id: string }): Promise<string[]> {
  const isListed = sql`EXISTS (SELECT 1 FROM json_each(${collections.moduleIds}) AS listed WHERE listed.value = ${id})`
  const rows = await db
    .select({ id: collections.id })
    .from(collections)
    .where(and(isOf({ userId, orgId }), eq(collections.shared, true), isListed))
  return rows.map((row) => row.id)
}

/** Lists the collections of the active organization, otherwise of the caller, newest first. */
export function listCollections(db: Db, owner: Owner): Promise<(CollectionRow & { moduleCount: number })[]> {
  return db
    .select({ ...getTableColumns(collections), moduleCount: MODULE_COUNT })
    .from(collections)
    .where(isOf(owner))
    .orderBy(desc(collections.createdAt), desc(collections.id))
}

/** Keeps a new collection without modules. @returns false when its owner has {@link COLLECTIONS_MAX} */
export async function insertCollection(
  db: Db,
  { id, userId, orgId, title, createdAt }: Omit<CollectionRow, 'moduleIds' | 'shared' | 'updatedAt'>,
): Promise<boolean> {
  const { meta } = await db.run(sql`INSERT INTO ${collections} (id, user_id, org_id, title, created_at, updated_at)
    SELECT ${id}, ${userId}, ${orgId}, ${title}, ${createdAt}, ${createdAt}
    WHERE (SELECT count(*) FROM ${collections} WHERE ${isOf({ userId, orgId })}) < ${COLLECTIONS_MAX}`)
  return meta.changes > 0
}

/** Changes a collection. @returns the changed row; null when it was deleted */
export async function updateCollection(
  db: Db,
  id: string,
  patch: Partial<Pick<CollectionRow, 'title' | 'shared' | 'moduleIds'>> & { updatedAt: number },
): Promise<CollectionRow | null> {
  const [row] = await db.update(collections).set(patch).where(eq(collections.id, id)).returning()
  return row ?? null
}

/** Deletes a collection and ends its assignments; its modules stay. */
export async function deleteCollection(db: Db, id: string, nowMs: number): Promise<void> {
  const isOpen = and(eq(assignments.collectionId, id), isNull(assignments.endedAt))
  await db.batch([
    db.delete(collections).where(eq(collections.id, id)),
    db.update(assignments).set({ endedAt: nowMs, settleAt: nowMs }).where(isOpen),
  ])
}

/** Lists what one person has made, alone or for organizations, by id and after one of them. */
export function listCollectionsOf(
  db: Db,
  userId: string,
  { after, limit }: PageAt<CollectionRow>,
): Promise<CollectionRow[]> {
  return db
    .select()
    .from(collections)
    .where(and(eq(collections.userId, userId), gt(collections.id, after?.id ?? '')))
    .orderBy(asc(collections.id))
    .limit(limit)
}

/** Collections that one statement erases or hands over; as many links as one purge ends. */
const ERASED_MAX = 100

/**
 * Deletes collections that a person made alone by `beforeMs`, and leaves those of organizations to these, under another
 * name for the person.
 * @returns the ids of the deleted ones, and whether there are no more of either
 */
export async function eraseCollectionsOf(
  db: Db,
  { userId, alias, beforeMs }: { userId: string; alias: string; beforeMs: number },
): Promise<{ gone: string[]; isDone: boolean }> {
  const some = (whose: SQL) => {
    const which = and(eq(collections.userId, userId), lte(collections.createdAt, beforeMs), whose)
    return sql`id IN (SELECT id FROM ${collections} WHERE ${which} LIMIT ${ERASED_MAX})`
  }
  const [deleted, reassigned] = await db.batch([
    db
      .delete(collections)
      .where(some(isNull(collections.orgId)))
      .returning({ id: collections.id }),
    db
      .update(collections)
      .set({ userId: alias })
      .where(some(isNotNull(collections.orgId))),
  ])
  return { gone: deleted.map(({ id }) => id), isDone: deleted.length + reassigned.meta.changes === 0 }
}
