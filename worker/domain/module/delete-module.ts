import type { Db } from '#worker/db/db.ts'
import type { Caller } from '#worker/ports/identity.ts'
import { getOwnModule } from './get-module.ts'
import { mayDelete } from './module-access.ts'
import { updateModule } from './module-store.ts'

/**
 * Takes a module off every page and link at once; a run in progress stops at its next checkpoint. Rows and objects
 * go with a later sweep.
 * @returns false when the caller owns the module but may not delete it
 * @throws {AppError} not_found
 */
export async function deleteModule(
  deps: { db: Db; nowMs: number },
  caller: Caller,
  moduleId: string,
): Promise<boolean> {
  const module = await getOwnModule(deps.db, caller, moduleId)
  if (!mayDelete(caller, module)) return false
  await updateModule(deps.db, module.id, { deletedAt: deps.nowMs, updatedAt: deps.nowMs })
  return true
}
