import type { Module, ModuleRole } from '#contract/module.ts'
import { AppError } from '#worker/core/errors.ts'
import type { Db } from '#worker/db/db.ts'
import { managesModules } from '#worker/domain/organization/membership.ts'
import { noteTrace } from '#worker/log/log.ts'
import type { Caller } from '#worker/ports/identity.ts'
import { isModuleId } from './module-id.ts'
import { findModule, type ModuleRow } from './module-store.ts'

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

/**
 * What a signed-in caller may do with a module.
 * Owner: the uploader, and members of the organization that was active at upload. Viewer: anyone else with the id,
 * while the module is shared and its bytes have arrived.
 * @returns null when the module must look as if it did not exist
 */
function roleIn(caller: Caller, module: ModuleRow): ModuleRole | null {
  if (isOwner(caller, module)) return 'owner'
  return module.shared && module.receivedAt !== null ? 'viewer' : null
}

/** Whether the caller uploaded the module, or is now active in the organization that was active then. */
export function isOwner(
  caller: { userId: string | null; orgId: string | null },
  module: Pick<ModuleRow, 'userId' | 'orgId'>,
): boolean {
  return module.userId === caller.userId || (module.orgId !== null && module.orgId === caller.orgId)
}

/** Which organization owns the module, as the caller sees it. */
export function organizationOf(
  caller: Pick<Caller, 'orgId'>,
  { orgId }: Pick<ModuleRow, 'orgId'>,
): Module['organization'] {
  if (orgId === null) return null
  return orgId === caller.orgId ? 'active' : 'other'
}

/** Deleting is for the uploader and for those who manage the organization's modules. */
export function mayDelete(caller: Caller, module: Pick<ModuleRow, 'userId' | 'orgId'>): boolean {
  return module.userId === caller.userId || mayTakeOver(caller, module)
}

/** Taking a module over is for those who manage its organization's modules. */
export function mayTakeOver(caller: Caller, module: Pick<ModuleRow, 'orgId'>): boolean {
  return module.orgId !== null && module.orgId === caller.orgId && managesModules(caller)
}
