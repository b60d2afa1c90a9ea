import { and, asc, desc, eq, gte, isNotNull, isNull, lt, lte, or, type SQL, sql } from 'drizzle-orm'
import { UNPUBLISHED } from '#contract/module.ts'
import { type Db, listRows } from '#worker/db/db.ts'
import { deletedModules } from '#worker/db/operation-tables.ts'
import type { PageAt } from '#worker/db/read-pages.ts'
import { IS_TO_INDEX, modules } from '#worker/db/schema.ts'
import { organizationSettings } from '#worker/db/share-tables.ts'
import { listOwnerOf } from '#worker/domain/organization/membership.ts'
import type { Caller } from '#worker/ports/identity.ts'

/** A module as it is kept, deleted or not. */
export type ModuleRow = typeof modules.$inferSelect
/** A module before it is stored; a missing field has the default of its column. */
export type NewModule = typeof modules.$inferInsert

function selectWhere(db: Db, which: SQL | undefined) {
  return db.select().from(modules).where(which)
}

/** The query for a module that has not been deleted, to be asked alone or in one batch with others. */
export function selectModule(db: Db, moduleId: string) {
  return selectWhere(db, eq(modules.id, moduleId))
}

/** Lists some modules that have not been deleted. */
export function listModulesById(db: Db, ids: readonly string[]): Promise<ModuleRow[]> {
  return selectWhere(db, sql`${modules.id} IN (SELECT value FROM json_each(${JSON.stringify(ids)}))`)
}

/** A module that has not been deleted. @returns null when there is none */
export async function findModule(db: Db, moduleId: string): Promise<ModuleRow | null> {
  return (await selectModule(db, moduleId).get()) ?? null
}

/** The module that an object was uploaded for, unless deleted. @returns null when there is none */
export async function findModuleOfSource(db: Db, sourceKey: string): Promise<ModuleRow | null> {
  return (await selectWhere(db, eq(modules.sourceKey, sourceKey)).get()) ?? null
}

/** Modules of the active organization, otherwise of the caller, whose bytes have arrived, newest first. */
export function listModules(db: Db, caller: Caller): Promise<ModuleRow[]> {
  const { column, id } = listOwnerOf(caller)
  const isListed = eq(column === 'org_id' ? modules.orgId : modules.userId, id)
  return selectWhere(db, and(isListed, isNotNull(modules.receivedAt))).orderBy(
    desc(modules.createdAt),
    desc(modules.id),
  )
}

/**
 * Keeps a new module, with its title as searches compare it. It publishes versions where its organization wants that.
 * Throws where its id or its key in the bucket is taken.
 */
export async function insertModule(db: Db, module: NewModule): Promise<void> {
  const { orgId, publishesVersions } = organizationSettings
  const isWanted = sql`${orgId} = ${module.orgId ?? null} AND ${publishesVersions} = 1`
  const publishedVersion = sql<number | null>`(SELECT ${UNPUBLISHED} FROM ${organizationSettings} WHERE ${isWanted})`
  await db.insert(modules).values({ publishedVersion, ...module, titleFolded: foldTitle(module.title) })
}

/** Of a module that the search index is to take as it is now, whatever its version. */
export const TO_INDEX = -1

/** Changes a module. Nothing happens where there is no such module. */
export async function updateModule(
  db: Db,
  moduleId: string,
  patch: Partial<Omit<NewModule, 'titleFolded'>>,
): Promise<void> {
  const folded = patch.title === undefined ? {} : { titleFolded: foldTitle(patch.title), indexedVersion: TO_INDEX }
  await db
    .update(modules)
    .set({ ...patch, ...folded })
    .where(eq(modules.id, moduleId))
}

/** Makes a failed module READY, unless a new run of it has begun meanwhile. */
export async function reviveModule(db: Db, failed: Pick<ModuleRow, 'id' | 'run'>, nowMs: number): Promise<void> {
  const ready = { status: 'READY', runStatus: 'READY', progress: 100, message: 'Ready' } as const
  await db
    .update(modules)
    .set({ ...ready, failureCode: null, lastError: null, updatedAt: nowMs })
    .where(and(eq(modules.id, failed.id), eq(modules.run, failed.run), eq(modules.status, 'FAILED')))
}

/** An upload without activity for this long is aborted; until the sweep does it, /debug calls it orphaned. */
export const ABANDONED_AFTER_MS = 24 * 60 * 60_000

/**
 * Lists at most 100 modules whose run is PROCESSING without a heartbeat since `beforeMs`. Of those whose video is still
 * being uploaded, only the ones with a run that has been retried fewer than `redrivesMax` times. Those that were retried
 * least come first. Among them chance decides, weighted by how long each has been quiet: runs that wait for their turn,
 * and are quiet again a minute later, keep none waiting that has lost its worker, and neither does one that always fails.
 */
export function listQuietModules(
  db: Db,
  { beforeMs, redrivesMax }: { beforeMs: number; redrivesMax: number },
): Promise<ModuleRow[]> {
  const isUploaded = isNotNull(modules.sourceEtag)
  const isWorthRetrying = or(isUploaded, and(gte(modules.run, 1), lt(modules.redrives, redrivesMax)))
  const isQuiet = and(isNotNull(modules.receivedAt), lte(modules.updatedAt, beforeMs))
  // A uniform number divided by a weight: the smallest belongs to each row with a chance in proportion to its weight.
  const place = sql`(abs(random()) >> 32) * 1.0 / (${beforeMs} - ${modules.updatedAt} + 1)`
  return selectWhere(db, and(eq(modules.runStatus, 'PROCESSING'), isQuiet, isWorthRetrying))
    .orderBy(modules.redrives, place)
    .limit(100)
}

/** When the last was seen of an upload: bytes, or that it was asked for. */
const lastSeenOfUpload = sql`max(${modules.createdAt}, CASE WHEN ${modules.receivedAt} IS NULL THEN 0 ELSE ${modules.updatedAt} END)`

/**
 * Lists uploads that were active since `sinceMs` and are not complete. In random order, so that each of more than a
 * hundred has its chance in the next sweep.
 */
export function listAwaitedModules(db: Db, sinceMs: number): Promise<ModuleRow[]> {
  const isActive = and(eq(modules.runStatus, 'PROCESSING'), gte(lastSeenOfUpload, sinceMs))
  return selectWhere(db, and(isNull(modules.sourceEtag), isActive))
    .orderBy(sql`random()`)
    .limit(100)
}

/** Uploads that nothing was seen of since `beforeMs` and that were never completed, in random order likewise. */
export function listAbandonedModules(db: Db, beforeMs: number): Promise<ModuleRow[]> {
  // Implied by the other condition, since a module is created before it is seen, but this one can use an index.
  const isOld = and(lt(modules.createdAt, beforeMs), lt(lastSeenOfUpload, beforeMs))
  return selectWhere(db, and(isNull(modules.sourceEtag), isOld))
    .orderBy(sql`random()`)
    .limit(100)
}

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
    db.update(modules).set({ userId: alias, indexedVersion: TO_INDEX }).where(some(sql`modules`)),
    db.update(deletedModules).set({ userId: alias }).where(some(sql`deleted_modules`)),
  ])
  return handed.every(({ meta }) => meta.changes < HANDED_OVER_MAX)
}

/** Makes another person a module's uploader. @returns false when its uploader or organization is not the expected one */
export async function updateUploader(
  db: Db,
  moduleId: string,
  { orgId, from, to }: { orgId: string; from: string; to: string },
): Promise<boolean> {
  const isAsExpected = and(eq(modules.id, moduleId), eq(modules.orgId, orgId), eq(modules.userId, from))
  const { meta } = await db.update(modules).set({ userId: to, indexedVersion: TO_INDEX }).where(isAsExpected)
  return meta.changes === 1
}

/**
 * Lists modules that the search index does not hold as they are now, those that changed last first: what a person has
 * just made is found within a minute, also while all others are indexed again.
 */
export function listToIndex(db: Db, limit: number): Promise<ModuleRow[]> {
  return selectWhere(db, IS_TO_INDEX).orderBy(desc(modules.updatedAt)).limit(limit)
}

/** Records that the index holds a module as it was read. @returns false when it has changed since, or was deleted */
export async function markIndexed(db: Db, read: ModuleRow): Promise<boolean> {
  const { id, title, userId, orgId, stepsVersion, transcriptKey, screenKey } = read
  const isSame = sql`id = ${id} AND title = ${title} AND user_id = ${userId} AND org_id IS ${orgId}
    AND steps_version = ${stepsVersion} AND transcript_key IS ${transcriptKey} AND screen_key IS ${screenKey}`
  const { meta } = await db.update(modules).set({ indexedVersion: stepsVersion }).where(isSame)
  return meta.changes === 1
}

/** Has a module be indexed again. @returns false when there is no such module */
export async function markToIndex(db: Db, moduleId: string): Promise<boolean> {
  const { meta } = await db.update(modules).set({ indexedVersion: TO_INDEX }).where(eq(modules.id, moduleId))
  return meta.changes === 1
}

/** Modules that one statement marks. */
const MARKED_MAX = 5_000

/** Has all modules be indexed again. */
export async function markAllToIndex(d1: D1Database): Promise<void> {
  const mark = `UPDATE modules SET indexed_version = ${TO_INDEX}
    WHERE id IN (SELECT id FROM modules WHERE id > ?1 ORDER BY id LIMIT ${MARKED_MAX}) RETURNING id`
  for (let last = '', isDone = false; !isDone; ) {
    const ids = (await listRows<{ id: string }>(d1, mark, last)).map(({ id }) => id)
    last = ids.toSorted().at(-1) ?? ''
    isDone = ids.length < MARKED_MAX
  }
}

/** Modules that a person has uploaded, the oldest first, after one of them. */
export function listUploadedBy(db: Db, userId: string, { after, limit }: PageAt<ModuleRow>): Promise<ModuleRow[]> {
  const isLater = sql`(${modules.createdAt}, ${modules.id}) > (${after?.createdAt ?? 0}, ${after?.id ?? ''})`
  const isNext = and(eq(modules.userId, userId), isLater)
  return selectWhere(db, isNext).orderBy(asc(modules.createdAt), asc(modules.id)).limit(limit)
}

/**
 * A title, or what is searched for in it, as the two are compared: letters of any script without their case, composed
 * as one character where there is one (names of files from a Mac come decomposed). Upper first, so that `ß` finds `SS`.
 */
export function foldTitle(title: string): string {
  const folded = title.normalize('NFKC').toUpperCase().toLowerCase()
  // The Turkish İ leaves a dot of its own behind, and a sigma is another letter at the end of a word.
  return folded.replaceAll('i\u0307', 'i').replaceAll('ς', 'σ').normalize('NFKC')
}
