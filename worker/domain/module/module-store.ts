import { and, desc, eq, gte, isNotNull, isNull, lt, lte, or, sql } from 'drizzle-orm'
import type { FailureCode } from '#contract/module.ts'
import type { Db } from '#worker/db/db.ts'
import { modules, runs } from '#worker/db/schema.ts'
import type { Caller } from '#worker/ports/identity.ts'
import { foldTitle } from './fold-title.ts'

/** A module as it is kept, deleted or not. */
export type ModuleRow = typeof modules.$inferSelect
/** A module before it is kept; what is left out has the default of its column. */
export type NewModule = typeof modules.$inferInsert

/** The query for a module that has not been deleted, to be asked alone or in one batch with others. */
export function selectModule(db: Db, moduleId: string) {
  return db
    .select()
    .from(modules)
    .where(and(eq(modules.id, moduleId), isNull(modules.deletedAt)))
}

/** A module that has not been deleted. @returns null when there is none */
export async function findModule(db: Db, moduleId: string): Promise<ModuleRow | null> {
  const [row] = await selectModule(db, moduleId)
  return row ?? null
}

/** The module that an object was uploaded for, unless deleted. @returns null when there is none */
export async function findModuleOfSource(db: Db, sourceKey: string): Promise<ModuleRow | null> {
  const [row] = await db
    .select()
    .from(modules)
    .where(and(eq(modules.sourceKey, sourceKey), isNull(modules.deletedAt)))
  return row ?? null
}

/** Modules that the caller owns and whose bytes have arrived, newest first. */
export function listModules(db: Db, caller: Caller): Promise<ModuleRow[]> {
  const mine = eq(modules.userId, caller.userId)
  const owned = caller.orgId === null ? mine : or(mine, eq(modules.orgId, caller.orgId))
  return db
    .select()
    .from(modules)
    .where(and(owned, isNotNull(modules.receivedAt), isNull(modules.deletedAt)))
    .orderBy(desc(modules.createdAt), desc(modules.id))
}

/** Keeps a new module, with its title as searches compare it. Throws where its id or its key in the bucket is taken. */
export async function insertModule(db: Db, module: NewModule): Promise<void> {
  await db.insert(modules).values({ ...module, titleFolded: foldTitle(module.title) })
}

/** What `complete` found in the bucket. */
export interface ReceivedSource {
  etag: string
  sizeBytes: number
  type: string
}

/** Pins a module to the bytes that arrived. @returns false when an earlier `complete` has done so already */
export async function receiveSource(db: Db, moduleId: string, source: ReceivedSource, nowMs: number): Promise<boolean> {
  const received = await db
    .update(modules)
    .set({
      sourceEtag: source.etag,
      sourceSizeBytes: source.sizeBytes,
      sourceType: source.type,
      uploadId: null,
      uploadedBytes: source.sizeBytes,
      receivedAt: sql`coalesce(${modules.receivedAt}, ${nowMs})`,
      redrives: 0,
      updatedAt: nowMs,
    })
    .where(and(eq(modules.id, moduleId), isNull(modules.sourceEtag), isNull(modules.deletedAt)))
    .returning({ id: modules.id })
  return received.length === 1
}

/**
 * Ends a listed module whose file turned out to be no video that we take; one that is not listed goes unseen with the
 * sweep. @returns whether it was ended
 */
export async function refuseSource(db: Db, moduleId: string, reason: string, nowMs: number): Promise<boolean> {
  const refused = await db
    .update(modules)
    .set({
      status: 'FAILED',
      message: 'Processing failed',
      failureCode: 'unreadable',
      lastError: reason,
      uploadId: null,
      updatedAt: nowMs,
    })
    .where(
      and(
        eq(modules.id, moduleId),
        eq(modules.status, 'PROCESSING'),
        isNotNull(modules.receivedAt),
        isNull(modules.sourceEtag),
        isNull(modules.deletedAt),
      ),
    )
    .returning({ id: modules.id })
  return refused.length === 1
}

/** Fields that a run may report while it is the current one. */
export interface RunReport {
  progress?: number
  message?: string
  durationMs?: number
  language?: string
}

/**
 * Writes a sign of life of a run. Progress only grows.
 * @returns false when the run is not the current one any more, has ended, or the module is gone
 */
export async function reportRun(
  db: Db,
  at: { moduleId: string; run: number; nowMs: number },
  report: RunReport,
): Promise<boolean> {
  const { progress, ...fields } = report
  const grown =
    progress === undefined ? {} : { progress: sql<number>`max(${modules.progress}, ${Math.floor(progress)})` }
  const updated = await db
    .update(modules)
    .set({ ...fields, ...grown, updatedAt: at.nowMs, redrives: 0 })
    .where(isCurrentRun(at))
    .returning({ id: modules.id })
  return updated.length === 1
}

/** Notes that a silent run's messages are sent again. @returns false when it has ended or a newer one has begun */
export async function countRedrive(db: Db, at: { moduleId: string; run: number; nowMs: number }): Promise<boolean> {
  const counted = await db
    .update(modules)
    .set({ redrives: sql`${modules.redrives} + 1`, updatedAt: at.nowMs })
    .where(isCurrentRun(at))
    .returning({ id: modules.id })
  return counted.length === 1
}

/** The fence: true in SQL only while this run is the module's current, unfinished one. */
export function isCurrentRun(at: { moduleId: string; run: number }) {
  return and(
    eq(modules.id, at.moduleId),
    eq(modules.run, at.run),
    eq(modules.status, 'PROCESSING'),
    isNull(modules.deletedAt),
  )
}

/**
 * The statement that ends a module's current run as FAILED, alone or in one batch with the run's own row. A browser's
 * sound that nobody has compared with the video fails no module.
 */
export function updateFailed(
  db: Db,
  at: { moduleId: string; run: number; nowMs: number },
  failure: { code: FailureCode; reason: string },
) {
  return db
    .update(modules)
    .set({
      status: 'FAILED',
      message: 'Processing failed',
      failureCode: failure.code,
      lastError: failure.reason,
      updatedAt: at.nowMs,
    })
    .where(
      and(
        isCurrentRun(at),
        sql`NOT EXISTS (SELECT 1 FROM ${runs} WHERE ${runs.moduleId} = ${at.moduleId} AND ${runs.run} = ${at.run}
          AND ${runs.soundFrom} = 'browser' AND NOT ${runs.isVerified})`,
      ),
    )
    .returning({ id: modules.id })
}

/** Makes a failed module READY, unless a new run of it has begun meanwhile. */
export async function reviveModule(db: Db, failed: Pick<ModuleRow, 'id' | 'run'>, nowMs: number): Promise<void> {
  await db
    .update(modules)
    .set({ status: 'READY', progress: 100, message: 'Ready', failureCode: null, lastError: null, updatedAt: nowMs })
    .where(and(eq(modules.id, failed.id), eq(modules.run, failed.run), eq(modules.status, 'FAILED')))
}

/** Makes the change of {@link makeModuleUpdate} at once. Nothing happens where there is no such module. */
export async function updateModule(...change: Parameters<typeof makeModuleUpdate>): Promise<void> {
  await makeModuleUpdate(...change)
}

/** The change of a module, to be made alone or in one batch with others. */
export function makeModuleUpdate(db: Db, moduleId: string, patch: Partial<Omit<NewModule, 'titleFolded'>>) {
  const folded = patch.title === undefined ? {} : { titleFolded: foldTitle(patch.title) }
  return db
    .update(modules)
    .set({ ...patch, ...folded })
    .where(eq(modules.id, moduleId))
}

/**
 * Modules that are PROCESSING without a sign of life since `beforeMs`. Of those whose video is on its way, only the
 * ones with a run that has been asked for again fewer than `redrivesMax` times.
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
        isNull(modules.deletedAt),
        lte(modules.updatedAt, beforeMs),
        or(isNotNull(modules.sourceEtag), and(gte(modules.run, 1), lt(modules.redrives, redrivesMax))),
      ),
    )
    .limit(100)
}

/** When the last was seen of an upload: bytes, or that it was asked for. */
const lastSeenOfUpload = sql`max(${modules.createdAt}, CASE WHEN ${modules.receivedAt} IS NULL THEN 0 ELSE ${modules.updatedAt} END)`

/**
 * Uploads that were seen of since `sinceMs` and that nobody has completed. Not in any order: where there are more than
 * can be looked at, each has its chance the next time.
 */
export function listAwaitedModules(db: Db, sinceMs: number): Promise<ModuleRow[]> {
  return db
    .select()
    .from(modules)
    .where(
      and(
        isNull(modules.sourceEtag),
        eq(modules.status, 'PROCESSING'),
        isNull(modules.deletedAt),
        gte(lastSeenOfUpload, sinceMs),
      ),
    )
    .orderBy(sql`random()`)
    .limit(100)
}

/** Uploads that nothing was seen of since `beforeMs` and that were never completed. */
export function listAbandonedModules(db: Db, beforeMs: number): Promise<ModuleRow[]> {
  return db
    .select()
    .from(modules)
    .where(and(isNull(modules.sourceEtag), isNull(modules.deletedAt), lt(lastSeenOfUpload, beforeMs)))
    .limit(100)
}
