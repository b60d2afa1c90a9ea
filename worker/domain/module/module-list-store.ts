import { desc, type SQL, sql } from 'drizzle-orm'
import type { Db } from '#worker/db/db.ts'
import { IS_AT_WORK, IS_LISTED, modules } from '#worker/db/schema.ts'
import type { Caller } from '#worker/ports/identity.ts'
import { foldTitle } from './fold-title.ts'

/** A place in the list, newest first: what comes after the module that was made then. */
export interface ListPlace {
  createdAt: number
  id: string
}

/** Columns that a card is drawn from. */
const CARD_COLUMNS = {
  id: modules.id,
  userId: modules.userId,
  orgId: modules.orgId,
  title: modules.title,
  status: modules.status,
  progress: modules.progress,
  message: modules.message,
  failureCode: modules.failureCode,
  lastError: modules.lastError,
  shared: modules.shared,
  declaredSizeBytes: modules.declaredSizeBytes,
  uploadedBytes: modules.uploadedBytes,
  sourceEtag: modules.sourceEtag,
  durationMs: modules.durationMs,
  hasPoster: modules.hasPoster,
  transcriptSource: modules.transcriptSource,
  stepsVersion: modules.stepsVersion,
  createdAt: modules.createdAt,
}

/** What a card of the list is drawn from; a whole {@link ModuleRow} is one, too. */
export type ModuleCardRow = Pick<typeof modules.$inferSelect, keyof typeof CARD_COLUMNS>

/**
 * The query for some of the caller's modules whose bytes have arrived, newest first.
 * @param after where the page begins; null for the first
 * @param search only titles that contain it, whatever the case; empty for all
 */
export function selectPage(db: Db, caller: Caller, page: { limit: number; after: ListPlace | null; search: string }) {
  return selectFound(db, caller, { ...page, isFound: and(IS_LISTED, isAfter(page.after), contains(page.search)) })
}

/** The query for those of the caller's modules that are PROCESSING, newest first. */
export function selectAtWork(db: Db, caller: Caller, limit: number) {
  return selectFound(db, caller, { limit, isFound: IS_AT_WORK })
}

/**
 * Mine and my organization's are looked up apart: each is read in the order of an index and only as far as one page
 * goes, which SQLite does for no condition with OR.
 */
function selectFound(db: Db, caller: Caller, { limit, isFound }: { limit: number; isFound: SQL }) {
  const some = (isOwned: SQL) =>
    sql`SELECT * FROM (SELECT id, created_at FROM modules WHERE ${isOwned} AND ${isFound}
      ORDER BY created_at DESC, id DESC LIMIT ${limit})`
  const mine = some(sql`user_id = ${caller.userId}`)
  const owned = caller.orgId === null ? mine : sql`${mine} UNION ${some(sql`org_id = ${caller.orgId}`)}`
  return db
    .select(CARD_COLUMNS)
    .from(modules)
    .where(sql`${modules.id} IN (SELECT id FROM (${owned}) ORDER BY created_at DESC, id DESC LIMIT ${limit})`)
    .orderBy(desc(modules.createdAt), desc(modules.id))
}

function and(...conditions: SQL[]): SQL {
  return sql.join(conditions, sql` AND `)
}

function isAfter(place: ListPlace | null): SQL {
  return place === null ? sql`true` : sql`(created_at, id) < (${place.createdAt}, ${place.id})`
}

/** No LIKE: its wildcards would have to be escaped, and D1 takes patterns of 50 bytes at most. */
function contains(search: string): SQL {
  const folded = foldTitle(search.trim())
  return folded === '' ? sql`true` : sql`instr(title_folded, ${folded}) > 0`
}
