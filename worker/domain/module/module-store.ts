import { and, desc, eq, isNotNull, or } from 'drizzle-orm'
import type { Db } from '#worker/db/db.ts'
import { modules } from '#worker/db/schema.ts'
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
    .where(and(eq(modules.id, moduleId)))
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
    .where(and(eq(modules.sourceKey, sourceKey)))
  return row ?? null
}

/** Modules that the caller owns and whose bytes have arrived, newest first. */
export function listModules(db: Db, caller: Caller): Promise<ModuleRow[]> {
  const mine = eq(modules.userId, caller.userId)
  const owned = caller.orgId === null ? mine : or(mine, eq(modules.orgId, caller.orgId))
  return db
    .select()
    .from(modules)
    .where(and(owned, isNotNull(modules.receivedAt)))
    .orderBy(desc(modules.createdAt), desc(modules.id))
}

/** Keeps a new module, with its title as searches compare it. Throws where its id or its key in the bucket is taken. */
export async function insertModule(db: Db, module: NewModule): Promise<void> {
  await db.insert(modules).values({ ...module, titleFolded: foldTitle(module.title) })
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

/** Makes a failed module READY, unless a new run of it has begun meanwhile. */
export async function reviveModule(db: Db, failed: Pick<ModuleRow, 'id' | 'run'>, nowMs: number): Promise<void> {
  await db
    .update(modules)
    .set({ status: 'READY', progress: 100, message: 'Ready', failureCode: null, lastError: null, updatedAt: nowMs })
    .where(and(eq(modules.id, failed.id), eq(modules.run, failed.run), eq(modules.status, 'FAILED')))
}
