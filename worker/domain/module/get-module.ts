import { type Module, type ModuleRole, seesDraft } from '#contract/module.ts'
import type { Context } from '#worker/core/context.ts'
import { AppError } from '#worker/core/errors.ts'
import type { Db } from '#worker/db/db.ts'
import { managesModules } from '#worker/domain/organization/membership.ts'
import { noteTrace } from '#worker/log/log.ts'
import type { Caller } from '#worker/ports/identity.ts'
import { findVisitorAssigned } from './assigned-access.ts'
import { isInvited } from './invitation-store.ts'
import { isUnlocked, linkLocked } from './link-password.ts'
import { hasLinkEnded, isForOthers, isOpenById, linkIdOf } from './link-state.ts'
import { findByLink, isForwarded } from './link-store.ts'
import { isModuleId } from './module-id.ts'
import { findModule, type ModuleRow } from './module-store.ts'

/** The answer for missing, deleted, un-shared, foreign and malformed ids alike. */
export function moduleNotFound(): AppError {
  return new AppError('not_found', 'This training module could not be found or is no longer available.')
}

/**
 * What a signed-in caller may do with a module.
 * Owner: the uploader, and members of the organization that was active at upload. Editor: who was invited to edit it.
 * Viewer: anyone else with the id, while its link is open without a password. Others see it once its bytes have arrived.
 * @throws {AppError} not_found also for a module that the caller may not know of
 */
export async function getModule(
  { db, nowMs }: Pick<Context, 'db' | 'nowMs'>,
  caller: Caller,
  moduleId: string,
): Promise<{ module: ModuleRow; role: ModuleRole }> {
  const module = await findById(db, moduleId)
  if (module !== null && isOwner(caller, module)) return { module, role: 'owner' }
  // Also where there is no module, so that a hidden one costs no more.
  const isEditor = isModuleId(moduleId) && (await isInvited(db, moduleId, caller.userId))
  if (module === null || module.receivedAt === null) throw moduleNotFound()
  if (isEditor) return { module, role: 'editor' }
  if (!isOpenById(module, nowMs())) throw moduleNotFound()
  return { module, role: 'viewer' }
}

/** For changes of steps, which owners and invited people make. @throws {AppError} not_found, for viewers too */
export async function getEditedModule(
  context: Pick<Context, 'db' | 'nowMs'>,
  caller: Caller,
  moduleId: string,
): Promise<{ module: ModuleRow; role: ModuleRole }> {
  const opened = await getModule(context, caller, moduleId)
  if (!seesDraft(opened.role)) throw moduleNotFound()
  return opened
}

/** For writes and owner-only reads. @throws {AppError} not_found, for viewers too */
export async function getOwnModule(db: Db, caller: Caller, moduleId: string): Promise<ModuleRow> {
  const module = await findById(db, moduleId)
  if (module === null || !isOwner(caller, module)) throw moduleNotFound()
  return module
}

/** What opening a link reaches. */
export type LinkContext = Pick<Context, 'db' | 'secrets' | 'nowMs' | 'linkTokenOf' | 'personToken'>

/**
 * For anyone with the link, who has entered its password where it has one, and for people to whom the training is
 * assigned. All that a link opens asks this function.
 * @throws {AppError} not_found; link_ended, link_replaced, link_locked
 */
export async function getSharedModule(context: LinkContext, linkId: string): Promise<ModuleRow> {
  const assigned = await findVisitorAssigned(context, linkId)
  return assigned?.module ?? getUnlocked(context, linkId)
}

/** For anyone with the link, where it is known already that no assignment opens it. @throws {AppError} as above */
export async function getUnlocked(context: LinkContext, linkId: string): Promise<ModuleRow> {
  const module = await getLinked(context, linkId)
  if (!(await isUnlocked(context, module))) throw linkLocked()
  return module
}

/** The same whether the password of the link is known or not. @throws {AppError} not_found, link_ended, link_replaced */
export async function getLinked({ db, nowMs }: Pick<Context, 'db' | 'nowMs'>, linkId: string): Promise<ModuleRow> {
  if (!isModuleId(linkId)) throw moduleNotFound()
  const module = await findByLink(db, linkId)
  if (module === null) throw moduleNotFound()
  noteTrace({ moduleId: module.id })
  if (!isForOthers(module) || module.receivedAt === null) throw moduleNotFound()
  if (linkIdOf(module) !== linkId) throw await describeReplaced(db, module, linkId)
  if (hasLinkEnded(module, nowMs())) throw new AppError('link_ended', 'This link has ended.')
  return module
}

/** Where a replaced link forwards, the problem names the path of the new one. */
async function describeReplaced(db: Db, module: ModuleRow, linkId: string): Promise<AppError> {
  const message = 'This link was replaced; ask the person who sent it.'
  const extensions = (await isForwarded(db, linkId)) ? { linkId: linkIdOf(module) } : {}
  return new AppError('link_replaced', message, { extensions })
}

async function findById(db: Db, moduleId: string): Promise<ModuleRow | null> {
  if (!isModuleId(moduleId)) return null
  noteTrace({ moduleId })
  return findModule(db, moduleId)
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
