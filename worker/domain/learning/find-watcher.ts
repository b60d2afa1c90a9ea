import type { Db } from '#worker/db/db.ts'
import { getModule, getSharedModule } from '#worker/domain/module/get-module.ts'
import type { ModuleRow } from '#worker/domain/module/module-store.ts'
import type { Caller } from '#worker/ports/identity.ts'

/** Somebody who watches a module. */
export interface Watcher {
  module: ModuleRow
  /** As it is stored; null for an owner, whose watching is not counted. */
  learnerId: string | null
}

/**
 * Who watches: whoever is signed in is known by the account, others by the id that their browser has made.
 * @param caller null for anybody with the link
 * @throws {AppError} not_found for a module that the caller cannot open
 */
export async function findWatcher(
  db: Db,
  caller: Caller | null,
  { moduleId, learnerId }: { moduleId: string; learnerId: string },
): Promise<Watcher> {
  if (caller === null) return { module: await getSharedModule(db, moduleId), learnerId: `anyone:${learnerId}` }
  const { module, role } = await getModule(db, caller, moduleId)
  return { module, learnerId: role === 'owner' ? null : `user:${caller.userId}` }
}
