import type { ModuleRole } from '#contract/module.ts'
import { has, ORG_ADMIN } from '#worker/domain/organization/has.ts'
import type { Caller } from '#worker/ports/identity.ts'
import type { ModuleRow } from './module-store.ts'

/**
 * What a signed-in caller may do with a module.
 * Owner: the uploader, and members of the organization that was active at upload. Viewer: anyone else with the id,
 * while the module is shared and its bytes have arrived.
 * @returns null when the module must look as if it did not exist
 */
export function roleIn(caller: Caller, module: ModuleRow): ModuleRole | null {
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

/** Deleting is for the uploader and for admins of the organization. */
export function mayDelete(caller: Caller, module: Pick<ModuleRow, 'userId' | 'orgId'>): boolean {
  return module.userId === caller.userId || mayTakeOver(caller, module)
}

/** Taking a module over is for admins of its organization. */
export function mayTakeOver(caller: Caller, module: Pick<ModuleRow, 'orgId'>): boolean {
  return module.orgId !== null && module.orgId === caller.orgId && has(caller, ORG_ADMIN)
}
