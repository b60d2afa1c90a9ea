import type { ModuleRole } from '#contract/module.ts'
import type { Db } from '#worker/db/db.ts'
import { AppError } from '#worker/errors.ts'
import { noteTrace } from '#worker/log/trace.ts'
import type { Caller } from '#worker/ports/identity.ts'
import { isOwner, roleIn } from './module-access.ts'
import { findModule, type ModuleRow } from './module-store.ts'

/** Ids are made by nanoid; anything else is answered like an id that does not exist, without asking the database. */
const MODULE_ID = /^[\w-]{21,64}$/

/** Whether a text could be the id of a module at all. */
export function isModuleId(text: string): boolean {
  return MODULE_ID.test(text)
}

/** The answer for missing, deleted, un-shared, foreign and malformed ids alike. */
export function moduleNotFound(): AppError {
  return new AppError('not_found', 'This training module could not be found or is no longer available.')
}

/** @throws {AppError} not_found also for a module that the caller may not know of */
export async function getModule(
  db: Db,
  caller: Caller,
  moduleId: string,
): Promise<{ module: ModuleRow; role: ModuleRole }> {
  const module = await findById(db, moduleId)
  const role = module === null ? null : roleIn(caller, module)
  if (module === null || role === null) throw moduleNotFound()
  return { module, role }
}

/** For writes and owner-only reads. @throws {AppError} not_found, for viewers too */
export async function getOwnModule(db: Db, caller: Caller, moduleId: string): Promise<ModuleRow> {
  const module = await findById(db, moduleId)
  if (module === null || !isOwner(caller, module)) throw moduleNotFound()
  return module
}

/** For anyone with the link. @throws {AppError} not_found */
export async function getSharedModule(db: Db, moduleId: string): Promise<ModuleRow> {
  const module = await findById(db, moduleId)
  if (module === null || !module.shared || module.receivedAt === null) throw moduleNotFound()
  return module
}

async function findById(db: Db, moduleId: string): Promise<ModuleRow | null> {
  if (!isModuleId(moduleId)) return null
  noteTrace({ moduleId })
  return findModule(db, moduleId)
}
