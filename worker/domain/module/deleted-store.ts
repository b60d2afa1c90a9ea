import { and, asc, desc, eq, getTableColumns, gt, isNotNull, isNull, lte, or, type SQL, sql } from 'drizzle-orm'
import { RESTORABLE_DAYS } from '#contract/limits.ts'
import type { DeletedModule } from '#contract/module.ts'
import type { Db } from '#worker/db/db.ts'
import { deletedModules } from '#worker/db/operation-tables.ts'
import type { PageAt } from '#worker/db/read-pages.ts'
import { modules } from '#worker/db/schema.ts'
import { listOwnerOf, managesModules } from '#worker/domain/organization/membership.ts'
import { toIso } from '#worker/domain/to-iso.ts'
import type { Caller } from '#worker/ports/identity.ts'
import { TO_INDEX } from './module-store.ts'

/** A module that was deleted: all of it, as it was then. */
export type DeletedRow = typeof deletedModules.$inferSelect

/** How long its owners can have a module back. */
export const RESTORABLE_MS = RESTORABLE_DAYS * 24 * 60 * 60_000

/** A queue job may run for 15 minutes, and so long is an address good that was given out for an upload. */
export const SETTLED_AFTER_MS = 30 * 60_000

/** How a module is deleted. */
export interface Deletion {
  nowMs: number
  /** `forGood`: it cannot be restored. */
  kind: 'restorable' | 'forGood'
}

/**
 * Deletes modules: from then on no query finds them and no write reaches them, since their rows lie apart.
 * @returns ids of those that were there
 */
async function softDelete(db: Db, which: SQL | undefined, { nowMs, kind }: Deletion): Promise<string[]> {
  const asDeleted = {
    deletedAt: sql<number>`${nowMs}`.as('deleted_at'),
    isFinal: sql<boolean>`${kind === 'forGood' ? 1 : 0}`.as('is_final'),
    eraseTriedAt: sql<null>`NULL`.as('erase_tried_at'),
  }
  const rows = db
    .select({ ...getTableColumns(modules), ...asDeleted })
    .from(modules)
    .where(which)
  const [, deletedRows] = await db.batch([
    db.insert(deletedModules).select(rows),
    db.delete(modules).where(which).returning({ id: modules.id }),
  ])
  return deletedRows.map(({ id }) => id)
}

/** @returns false when another call was first */
export async function softDeleteModule(db: Db, moduleId: string, deletion: Deletion): Promise<boolean> {
  return (await softDelete(db, eq(modules.id, moduleId), deletion)).length === 1
}

/** Deletes an upload for good, unless its video has been received. @returns false when it has, or there is no module */
export async function softDeleteUpload(db: Db, moduleId: string, nowMs: number): Promise<boolean> {
  const isUnfinished = and(eq(modules.id, moduleId), isNull(modules.sourceEtag))
  return (await softDelete(db, isUnfinished, { nowMs, kind: 'forGood' })).length === 1
}

/** Modules of one person that one statement moves. */
const MOVED_MAX = 100

/** Modules that a person has uploaded by `beforeMs` and that have no other owner, and uploads that were not finished. */
function isOwnOnly(table: typeof modules | typeof deletedModules, userId: string, beforeMs: number) {
  const isPersonal = or(isNull(table.orgId), isNull(table.sourceEtag))
  return and(eq(table.userId, userId), lte(table.createdAt, beforeMs), isPersonal)
}

/**
 * Deletes, for good, at most a hundred of the modules that one person has uploaded by `beforeMs` and that have no
 * other owner, and the person's unfinished uploads for an organization.
 * @returns their ids
 */
export function softDeleteOwn(db: Db, userId: string, { beforeMs, nowMs }: { beforeMs: number; nowMs: number }) {
  const some = sql`${modules.id} IN (SELECT id FROM ${modules} WHERE ${isOwnOnly(modules, userId, beforeMs)}
    ORDER BY created_at, id LIMIT ${MOVED_MAX})`
  return softDelete(db, some, { nowMs, kind: 'forGood' })
}

/** How many modules {@link softDeleteOwn} would still find. */
export function countOwn(db: Db, userId: string, beforeMs: number): Promise<number> {
  return db.$count(modules, isOwnOnly(modules, userId, beforeMs))
}

/** Modules that were deleted so recently that their owners can have them back. */
function isRestorable(nowMs: number) {
  return and(eq(deletedModules.isFinal, false), gt(deletedModules.deletedAt, nowMs - RESTORABLE_MS))
}

/** Those who may delete a module are those who may bring it back. */
function mayRestore(caller: Caller) {
  const isMine = eq(deletedModules.userId, caller.userId)
  return caller.orgId !== null && managesModules(caller) ? or(isMine, eq(deletedModules.orgId, caller.orgId)) : isMine
}

/** What the list of deleted modules shows; more is found once these are restored or gone. */
const LISTED_MAX = 100

/** Modules of the active organization, otherwise of the caller, that the caller can restore, the last deleted first. */
export function listRestorable(db: Db, caller: Caller, nowMs: number): Promise<DeletedRow[]> {
  const { column, id } = listOwnerOf(caller)
  const isListed = eq(column === 'org_id' ? deletedModules.orgId : deletedModules.userId, id)
  return db
    .select()
    .from(deletedModules)
    .where(and(isListed, mayRestore(caller), isRestorable(nowMs), isNotNull(deletedModules.receivedAt)))
    .orderBy(desc(deletedModules.deletedAt), desc(deletedModules.id))
    .limit(LISTED_MAX)
}

/**
 * Restores a module as it was, in one transaction; this counts as a heartbeat.
 * @returns null when the caller may not, or its time is over
 */
export async function restoreRow(db: Db, caller: Caller, { moduleId, nowMs }: { moduleId: string; nowMs: number }) {
  const which = and(eq(deletedModules.id, moduleId), mayRestore(caller), isRestorable(nowMs))
  const { deletedAt: _deleted, isFinal: _final, eraseTriedAt: _tried, ...columns } = getTableColumns(deletedModules)
  const asRestored = {
    redrives: sql<number>`0`.as('redrives'),
    indexedVersion: sql<number>`${TO_INDEX}`.as('indexed_version'),
    updatedAt: sql<number>`${nowMs}`.as('updated_at'),
  }
  const rows = db
    .select({ ...columns, ...asRestored })
    .from(deletedModules)
    .where(which)
  const [restored] = await db.batch([
    db.insert(modules).select(rows).returning(),
    db.delete(deletedModules).where(which),
  ])
  return restored[0] ?? null
}

/** Lists deleted modules that one person can restore, alone or with other owners, by id and after one of them. */
export function listRestorableOf(
  db: Db,
  userId: string,
  { after, limit, nowMs }: PageAt<DeletedRow> & { nowMs: number },
): Promise<DeletedRow[]> {
  return db
    .select()
    .from(deletedModules)
    .where(and(eq(deletedModules.userId, userId), isRestorable(nowMs), gt(deletedModules.id, after?.id ?? '')))
    .orderBy(asc(deletedModules.id))
    .limit(limit)
}

/** Ends the restore period of a person's deleted modules that have no other owner. */
export async function endRestorableOf(db: Db, userId: string, beforeMs: number): Promise<void> {
  await db
    .update(deletedModules)
    .set({ isFinal: true })
    .where(isOwnOnly(deletedModules, userId, beforeMs))
}

/** How many deleted modules of one person are still to be erased. */
export function countErasableOf(db: Db, userId: string): Promise<number> {
  return db.$count(deletedModules, and(eq(deletedModules.userId, userId), eq(deletedModules.isFinal, true)))
}

/** A module whose erasure broke off waits this long behind those without an attempt, or until there are none. */
const RESTS_MS = 60 * 60_000

/** Learners of another training see the video that a deleted recording has taken over from it. */
const IS_SHOWN = sql.raw(`(replaces_id IS NOT NULL AND EXISTS (
  SELECT 1 FROM (SELECT id, learner_source FROM modules UNION ALL SELECT id, learner_source FROM deleted_modules) AS taker
  WHERE taker.id = deleted_modules.replaces_id AND taker.learner_source->>'sourceKey' = deleted_modules.source_key))`)

/**
 * Ends the time in which modules can be restored, and claims modules that can no longer be and that no task works on:
 * one of each person's in turn, the oldest deletion first, so that neither a person who deletes thousands nor modules
 * that can never be erased delay the rest. A claimed module moves behind the others before it is erased, so it stays
 * there even if the attempt ends this worker.
 */
export async function takeErasable(db: Db, nowMs: number, limit: number): Promise<DeletedRow[]> {
  const isOver = and(eq(deletedModules.isFinal, false), lte(deletedModules.deletedAt, nowMs - RESTORABLE_MS))
  await db.update(deletedModules).set({ isFinal: true }).where(isOver)
  const next = sql`(SELECT id FROM (
      SELECT id, rests, since, row_number() OVER (PARTITION BY user_id ORDER BY rests, since, id) AS turn FROM (
        SELECT id, user_id, coalesce(erase_tried_at > ${nowMs - RESTS_MS}, 0) AS rests,
               coalesce(erase_tried_at, deleted_at) AS since
        FROM deleted_modules WHERE is_final = 1 AND deleted_at < ${nowMs - SETTLED_AFTER_MS} AND NOT ${IS_SHOWN}))
    ORDER BY rests, turn, since, id LIMIT ${limit})`
  return db.update(deletedModules).set({ eraseTriedAt: nowMs }).where(sql`${deletedModules.id} IN ${next}`).returning()
}

/** A module of which there is more than one time can remove keeps its place in the line. */
export async function keepPlace(db: Db, moduleId: string): Promise<void> {
  await db.update(deletedModules).set({ eraseTriedAt: null }).where(eq(deletedModules.id, moduleId))
}

/** Whether any module, deleted or not, knows of an object that was uploaded; one question, for modules come and go. */
export async function isSourceKnown(db: Db, sourceKey: string): Promise<boolean> {
  const rows = await db.all(sql`SELECT 1 FROM ${modules} WHERE ${modules.sourceKey} = ${sourceKey}
    UNION ALL SELECT 1 FROM ${deletedModules} WHERE ${deletedModules.sourceKey} = ${sourceKey} LIMIT 1`)
  return rows.length > 0
}

/** Finds where a module's video lies, and which object it is, also of one that can be restored. */
export async function findSource(db: Db, moduleId: string) {
  const sourceOf = (table: typeof modules | typeof deletedModules) =>
    db.select({ sourceKey: table.sourceKey, sourceEtag: table.sourceEtag }).from(table).where(eq(table.id, moduleId))
  const [source] = await sourceOf(modules).unionAll(sourceOf(deletedModules)).limit(1)
  return source ?? null
}

/** Removes the row of a deleted module, after everything else of it was removed. */
export async function forgetDeleted(db: Db, moduleId: string): Promise<void> {
  await db.delete(deletedModules).where(eq(deletedModules.id, moduleId))
}

/** A deleted module as those see it who can restore it. */
export function presentDeleted({ id, title, deletedAt }: DeletedRow): DeletedModule {
  return { id, title, deletedAt: toIso(deletedAt), restorableUntil: toIso(deletedAt + RESTORABLE_MS) }
}
