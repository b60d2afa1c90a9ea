import { desc, getTableColumns, type SQL, sql } from 'drizzle-orm'
import type { Module, ModuleListRequest, ModuleRole } from '#contract/module.ts'
import type { Db } from '#worker/db/db.ts'
import { IS_AT_WORK, IS_LISTED, modules } from '#worker/db/schema.ts'
import { decodeBase64Url, encodeBase64Url } from '#worker/domain/signed-payload.ts'
import { toIso } from '#worker/domain/to-iso.ts'
import { AppError } from '#worker/errors.ts'
import type { Caller } from '#worker/ports/identity.ts'
import { foldTitle, type ModuleRow } from './module-store.ts'

/** A place in the list, newest first: what comes after the module that was made then. */
type ListPlace = Pick<ModuleRow, 'createdAt' | 'id'>

/** What a card is drawn from: all but the glossary, the only text of a module that may be long. */
const { glossary: _glossary, ...CARD_COLUMNS } = getTableColumns(modules)

/** What a card of the list is drawn from; a whole {@link ModuleRow} is one, too. */
export type ModuleCardRow = Omit<ModuleRow, 'glossary'>

/**
 * The query for some of the caller's modules whose bytes have arrived, newest first.
 * @param after where the page begins; null for the first
 * @param search only titles that contain it, whatever the case; empty for all
 */
export function selectPage(db: Db, caller: Caller, page: { limit: number; after: ListPlace | null; search: string }) {
  const isFound = sql.join([IS_LISTED, isAfter(page.after), contains(page.search)], sql` AND `)
  return selectFound(db, caller, { ...page, isFound })
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

function isAfter(place: ListPlace | null): SQL {
  return place === null ? sql`true` : sql`(created_at, id) < (${place.createdAt}, ${place.id})`
}

/** No LIKE: its wildcards would have to be escaped, and D1 takes patterns of 50 bytes at most. */
function contains(search: string): SQL {
  const folded = foldTitle(search.trim())
  return folded === '' ? sql`true` : sql`instr(title_folded, ${folded}) > 0`
}

/**
 * One page of the caller's modules. Modules that come or go meanwhile make the pages after it neither skip nor repeat
 * one.
 * @throws {AppError} invalid_request for a cursor that is not ours
 */
export async function listPage(
  db: Db,
  caller: Caller,
  { limit, cursor, search }: Required<Pick<ModuleListRequest, 'limit' | 'search'>> & { cursor?: string | undefined },
): Promise<{ rows: ModuleCardRow[]; nextCursor: string | null }> {
  const after = cursor === undefined ? null : readCursor(cursor)
  // One more row than the page has shows whether there is a next page.
  const found = await selectPage(db, caller, { limit: limit + 1, after, search })
  const rows = found.slice(0, limit)
  const last = rows.at(-1)
  return { rows, nextCursor: found.length > limit && last !== undefined ? writeCursor(last) : null }
}

/** Opaque to clients; inside, the last module of the page before. */
function writeCursor({ createdAt, id }: ListPlace): string {
  return encodeBase64Url(new TextEncoder().encode(`${createdAt}/${id}`))
}

const PLACE = /^(\d{1,16})\/([\w-]{1,64})$/

function readCursor(cursor: string): ListPlace {
  const [, createdAt, id] = PLACE.exec(new TextDecoder().decode(decodeBase64Url(cursor) ?? undefined)) ?? []
  if (createdAt === undefined || id === undefined) throw new AppError('invalid_request', 'cursor is invalid')
  return { createdAt: Number(createdAt), id }
}

/** A module as the wire shows it to a caller of this role. `posterUrl` is as it was issued for that role. */
export function presentModule(
  row: ModuleCardRow,
  role: ModuleRole,
  { posterUrl, mayDelete }: Pick<Module, 'posterUrl' | 'mayDelete'>,
): Module {
  const owned = role === 'owner'
  return {
    id: row.id,
    title: row.title,
    createdAt: toIso(row.createdAt),
    status: row.status,
    progress: row.progress,
    message: row.message,
    lastError: owned ? row.lastError : null,
    failureCode: owned ? row.failureCode : null,
    totalDuration: row.durationMs === null ? null : row.durationMs / 1000,
    hasVideo: row.sourceEtag !== null,
    uploadPercent: uploadPercentOf(row),
    videoCodec: row.videoCodec,
    posterUrl,
    userId: owned ? row.userId : null,
    role,
    mayDelete,
    shared: row.shared,
    linkAnswersPerDay: owned ? row.linkAnswersPerDay : null,
    trainingUrl: `/training/${row.id}`,
    shareUrl: `/share/${row.id}`,
    transcriptSource: row.transcriptSource,
    stepsVersion: row.stepsVersion,
  }
}

/** Percent of a module's video that has arrived; 99 at most until the server has checked all of it. */
export function uploadPercentOf(row: Pick<ModuleRow, 'sourceEtag' | 'uploadedBytes' | 'declaredSizeBytes'>): number {
  if (row.sourceEtag !== null) return 100
  const share = row.uploadedBytes / Math.max(1, row.declaredSizeBytes ?? 0)
  return Math.min(99, Math.floor(100 * share))
}
