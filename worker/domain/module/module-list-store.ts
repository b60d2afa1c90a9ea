import { desc, getTableColumns, type SQL, sql } from 'drizzle-orm'
import { type Module, type ModuleListRequest, type ModuleRole, type NewVersion, seesDraft } from '#contract/module.ts'
import { sharePath } from '#contract/share-page.ts'
import { AppError } from '#worker/core/errors.ts'
import type { Db } from '#worker/db/db.ts'
import { IS_AT_WORK, IS_LISTED, modules } from '#worker/db/schema.ts'
import { type ListOwner, listOwnerOf } from '#worker/domain/organization/membership.ts'
import { decodeBase64Url, encodeBase64Url } from '#worker/domain/signed-payload.ts'
import { toIso } from '#worker/domain/to-iso.ts'
import { sourceOf } from '#worker/domain/transcript/transcript-store.ts'
import type { Caller } from '#worker/ports/identity.ts'
import { linkIdOf } from './link-state.ts'
import { foldTitle, type ModuleRow } from './module-store.ts'

/** A place in the list, newest first: what comes after the module that was made then. */
type ListPlace = Pick<ModuleRow, 'createdAt' | 'id'>

/** What a card is drawn from: all but the glossary, the only text of a module that may be long. */
const { glossary: _glossary, ...CARD_COLUMNS } = getTableColumns(modules)

/** What a card of the list is drawn from; a whole {@link ModuleRow} is one, too. */
export type ModuleCardRow = Omit<ModuleRow, 'glossary'>

/**
 * The query for some of the modules of the active organization, otherwise of the caller, whose bytes have arrived,
 * newest first.
 * @param after where the page begins; null for the first
 * @param search only titles that contain it, whatever the case; empty for all
 */
export function selectPage(db: Db, caller: Caller, page: { limit: number; after: ListPlace | null; search: string }) {
  const isFound = sql.join([IS_LISTED, isAfter(page.after), contains(page.search)], sql` AND `)
  return selectFound(db, [listOwnerOf(caller)], { ...page, isFound })
}

/** The query for those of the caller and of the active organization that are being made or made again, newest first. */
export function selectAtWork(db: Db, caller: Caller, limit: number) {
  const owners = [listOwnerOf({ ...caller, orgId: null }), listOwnerOf(caller)]
  return selectFound(db, owners, { limit, isFound: IS_AT_WORK })
}

/**
 * Each owner's are looked up apart: they are read in the order of an index and only as far as one page goes, which
 * SQLite does for no condition with OR.
 */
function selectFound(db: Db, owners: readonly ListOwner[], { limit, isFound }: { limit: number; isFound: SQL }) {
  const some = ({ column, id }: ListOwner) =>
    sql`SELECT * FROM (SELECT id, created_at FROM modules WHERE ${sql.raw(column)} = ${id} AND ${isFound}
      ORDER BY created_at DESC, id DESC LIMIT ${limit})`
  const owned = sql.join(owners.map(some), sql` UNION `)
  return db
    .select(CARD_COLUMNS)
    .from(modules)
    .where(sql`${modules.id} IN (SELECT id FROM (${owned}) ORDER BY created_at DESC, id DESC LIMIT ${limit})`)
    .orderBy(desc(modules.createdAt), desc(modules.id))
}

/** Lists those of some modules that an owner's list shows, newest first. */
export function listCards(
  db: Db,
  owner: Pick<Caller, 'userId' | 'orgId'>,
  moduleIds: readonly string[],
): Promise<ModuleCardRow[]> {
  const { column, id } = listOwnerOf(owner)
  const isOfThem = sql`${modules.id} IN (SELECT value FROM json_each(${JSON.stringify(moduleIds)}))`
  return db
    .select(CARD_COLUMNS)
    .from(modules)
    .where(sql`${isOfThem} AND ${sql.raw(column)} = ${id} AND ${IS_LISTED}`)
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
 * One page of a caller's list. Modules that come or go meanwhile make the pages after it neither skip nor repeat
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
  if (found.length <= limit || last === undefined) return { rows, nextCursor: null }
  // Opaque to clients; inside, the last module of the page.
  return { rows, nextCursor: encodeBase64Url(new TextEncoder().encode(`${last.createdAt}/${last.id}`)) }
}

const PLACE = /^(\d{1,16})\/([\w-]{1,64})$/

function readCursor(cursor: string): ListPlace {
  const [, createdAt, id] = PLACE.exec(new TextDecoder().decode(decodeBase64Url(cursor) ?? undefined)) ?? []
  if (createdAt === undefined || id === undefined) throw new AppError('invalid_request', 'cursor is invalid')
  return { createdAt: Number(createdAt), id }
}

/** How far a module is for everyone: one that is READY stays so while it is made again. */
export function presentState(row: ModuleCardRow): Pick<Module, 'status' | 'progress' | 'message'> {
  const { status, progress, message } = row
  return status === 'READY' ? { status, progress: 100, message: 'Ready' } : { status, progress, message }
}

/** How far making it again is, or why that failed; for owners. @returns null when there is no such run */
export function presentNewVersion(row: ModuleCardRow): NewVersion | null {
  const { status, runStatus, run, progress, message, lastError, failureCode } = row
  if (status !== 'READY' || runStatus === 'READY') return null
  return { run, status: runStatus, progress, message, lastError, failureCode }
}

/** Whether learners report from the steps of a module: as its owner says, otherwise where an organization has it. */
export function takesReports({ takesReports: chosen, orgId }: Pick<ModuleRow, 'takesReports' | 'orgId'>): boolean {
  return chosen ?? orgId !== null
}

/** A module as the wire shows it to a caller of this role. `posterUrl` is as it was issued for that role. */
export function presentModule(
  row: ModuleCardRow,
  role: ModuleRole,
  { posterUrl, mayDelete, organization }: Pick<Module, 'posterUrl' | 'mayDelete' | 'organization'>,
): Module {
  const owned = role === 'owner'
  const isFailed = row.status === 'FAILED'
  return {
    id: row.id,
    title: row.title,
    createdAt: toIso(row.createdAt),
    ...presentState(row),
    lastError: owned && isFailed ? row.lastError : null,
    failureCode: owned && row.status !== 'READY' ? row.failureCode : null,
    newVersion: owned ? presentNewVersion(row) : null,
    totalDuration: row.durationMs === null ? null : row.durationMs / 1000,
    hasVideo: row.sourceEtag !== null,
    uploadPercent: uploadPercentOf(row),
    videoCodec: row.videoCodec,
    posterUrl,
    userId: owned ? row.userId : null,
    role,
    mayDelete,
    organization: owned ? organization : null,
    shared: row.shared,
    linkAnswersPerDay: owned ? row.linkAnswersPerDay : null,
    linkEndsAt: owned ? toIso(row.linkEndsAt) : null,
    hasLinkPassword: owned && row.linkPassword !== null,
    takesReports: takesReports(row),
    publishedVersion: seesDraft(role) ? row.publishedVersion : null,
    replaces: owned ? row.replacesId : null,
    trainingUrl: `/training/${row.id}`,
    shareUrl: sharePath(linkIdOf(row)),
    transcriptSource: sourceOf(row),
    stepsVersion: row.stepsVersion,
  }
}

/** Percent of a module's video that has arrived; 99 at most until the server has checked all of it. */
export function uploadPercentOf(row: Pick<ModuleRow, 'sourceEtag' | 'uploadedBytes' | 'declaredSizeBytes'>): number {
  if (row.sourceEtag !== null) return 100
  const share = row.uploadedBytes / Math.max(1, row.declaredSizeBytes ?? 0)
  return Math.min(99, Math.floor(100 * share))
}
