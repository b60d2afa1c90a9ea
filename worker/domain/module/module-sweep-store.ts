import { and, eq, gte, isNotNull, isNull, lt, lte, or, sql } from 'drizzle-orm'
import type { Db } from '#worker/db/db.ts'
import { modules } from '#worker/db/schema.ts'
import type { ModuleRow } from './module-store.ts'

/** An upload without activity for this long is aborted; until the sweep does it, /debug calls it orphaned. */
export const ABANDONED_AFTER_MS = 24 * 60 * 60_000

/**
 * Lists modules that are PROCESSING without a heartbeat since `beforeMs`. Of those whose video is still being uploaded,
 * only the ones with a run that has been retried fewer than `redrivesMax` times.
 */
export function listQuietModules(
  db: Db,
  { beforeMs, redrivesMax }: { beforeMs: number; redrivesMax: number },
): Promise<ModuleRow[]> {
  return db
    .select()
    .from(modules)
    .where(
      and(
        eq(modules.status, 'PROCESSING'),
        isNotNull(modules.receivedAt),
        lte(modules.updatedAt, beforeMs),
        or(isNotNull(modules.sourceEtag), and(gte(modules.run, 1), lt(modules.redrives, redrivesMax))),
      ),
    )
    .limit(100)
}

/** When the last was seen of an upload: bytes, or that it was asked for. */
const lastSeenOfUpload = sql`max(${modules.createdAt}, CASE WHEN ${modules.receivedAt} IS NULL THEN 0 ELSE ${modules.updatedAt} END)`

/**
 * Lists uploads that were active since `sinceMs` and are not complete. In random order, so that each of more than a
 * hundred has its chance in the next sweep.
 */
export function listAwaitedModules(db: Db, sinceMs: number): Promise<ModuleRow[]> {
  return db
    .select()
    .from(modules)
    .where(and(isNull(modules.sourceEtag), eq(modules.status, 'PROCESSING'), gte(lastSeenOfUpload, sinceMs)))
    .orderBy(sql`random()`)
    .limit(100)
}

/** Uploads that nothing was seen of since `beforeMs` and that were never completed. */
export function listAbandonedModules(db: Db, beforeMs: number): Promise<ModuleRow[]> {
  return db
    .select()
    .from(modules)
    .where(and(isNull(modules.sourceEtag), lt(lastSeenOfUpload, beforeMs)))
    .limit(100)
}
