import { and, asc, eq, gt, or, type SQL, sql } from 'drizzle-orm'
import type { Db } from '#worker/db/db.ts'
import { deletedModules } from '#worker/db/deleted-tables.ts'
import { modules } from '#worker/db/schema.ts'
import type { ModuleRow } from './module-store.ts'

/** Modules that one statement hands over. */
const HANDED_OVER_MAX = 500

/**
 * Leaves modules that one person has uploaded for organizations to these alone, under another name for the uploader.
 * @returns false while there are more
 */
export async function leaveToOrganizations(
  db: Db,
  { userId, alias, beforeMs }: { userId: string; alias: string; beforeMs: number },
): Promise<boolean> {
  const some = (table: SQL) => sql`id IN (SELECT id FROM ${table} WHERE user_id = ${userId} AND org_id IS NOT NULL
    AND source_etag IS NOT NULL AND created_at <= ${beforeMs} LIMIT ${HANDED_OVER_MAX})`
  const handed = await db.batch([
    db.update(modules).set({ userId: alias }).where(some(sql`modules`)).returning({ id: modules.id }),
    db
      .update(deletedModules)
      .set({ userId: alias })
      .where(some(sql`deleted_modules`))
      .returning({ id: deletedModules.id }),
  ])
  return handed.every(({ length }) => length < HANDED_OVER_MAX)
}

/** Makes another person a module's uploader. @returns false when its uploader or organization is not the expected one */
export async function updateUploader(
  db: Db,
  moduleId: string,
  { orgId, from, to }: { orgId: string; from: string; to: string },
): Promise<boolean> {
  const updated = await db
    .update(modules)
    .set({ userId: to })
    .where(and(eq(modules.id, moduleId), eq(modules.orgId, orgId), eq(modules.userId, from)))
    .returning({ id: modules.id })
  return updated.length === 1
}

/** Modules that a person has uploaded, the oldest first, after one of them. */
export function listUploadedBy(
  db: Db,
  userId: string,
  { after, limit }: { after: Pick<ModuleRow, 'id' | 'createdAt'> | null; limit: number },
): Promise<ModuleRow[]> {
  const isLater =
    after === null
      ? undefined
      : or(
          gt(modules.createdAt, after.createdAt),
          and(eq(modules.createdAt, after.createdAt), gt(modules.id, after.id)),
        )
  return db
    .select()
    .from(modules)
    .where(and(eq(modules.userId, userId), isLater))
    .orderBy(asc(modules.createdAt), asc(modules.id))
    .limit(limit)
}
