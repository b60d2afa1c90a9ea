import { and, desc, eq, isNotNull, isNull, or, sql } from 'drizzle-orm'
import type { Db } from '#worker/db/db.ts'
import { modules } from '#worker/db/schema.ts'
import { addIngestTask } from '#worker/domain/run/task-store.ts'
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
  const received = await db.batch([
    db
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
      .returning({ id: modules.id }),
    // A run that has begun with a browser's audio waits for it.
    addIngestTask(db, { moduleId }, { index: 0, nowMs }),
  ])
  return received[0].length === 1
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
