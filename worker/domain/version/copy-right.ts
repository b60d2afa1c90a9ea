import type { Context } from '#worker/core/context.ts'
import { AppError } from '#worker/core/errors.ts'
import type { ModuleRow } from '#worker/domain/module/module-store.ts'
import { lacksSmallCopy, selectWithoutSmallCopy } from '#worker/domain/module/small-copy.ts'
import type { Caller } from '#worker/ports/identity.ts'
import { isPublisher } from './approve-version.ts'
import { type Published, readPublishers } from './review-store.ts'

/**
 * Requires that one of a module's owners may send its small copy. It reaches learners at once, and nothing shows that it
 * is of the video: by the rules of an organization only those who publish the module send it, also before its first
 * version.
 * @throws {AppError} approval_needed
 */
export async function requireCopySender(
  { db }: Pick<Context, 'db'>,
  module: Published,
  caller: Caller,
): Promise<void> {
  if (isPublisher(await readPublishers(db, module.orgId), caller, module)) return
  throw new AppError('approval_needed', 'Somebody else has to send the small copy of this video.')
}

/** Whether a small copy of a module is awaited from one of its owners. */
export async function awaitsSmallCopy(
  { db }: Pick<Context, 'db'>,
  module: ModuleRow,
  caller: Caller,
): Promise<boolean> {
  return lacksSmallCopy(module) && isPublisher(await readPublishers(db, module.orgId), caller, module)
}

/** Lists the trainings that await their small copy from an owner, newest first. */
export async function listAwaitingCopy(
  { db }: Pick<Context, 'db'>,
  caller: Caller,
): Promise<{ id: string; title: string }[]> {
  const lacking = await selectWithoutSmallCopy(db, caller)
  const orgIds = [...new Set(lacking.map(({ orgId }) => orgId))]
  const rules = new Map(await Promise.all(orgIds.map(async (id) => [id, await readPublishers(db, id)] as const)))
  return lacking
    .filter((module) => isPublisher(rules.get(module.orgId) ?? 'anyone', caller, module))
    .map(({ id, title }) => ({ id, title }))
}
