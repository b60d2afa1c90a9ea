import { CUTS_MAX } from '#contract/limits.ts'
import { intersect } from '#contract/time/time-ranges.ts'
import type { Cuts } from '#contract/time/visible-time.ts'
import type { Context } from '#worker/core/context.ts'
import { AppError } from '#worker/core/errors.ts'
import type { ModuleRow } from '#worker/domain/module/module-store.ts'
import { lacksSmallCopy, selectWithoutSmallCopy } from '#worker/domain/module/small-copy.ts'
import type { Caller } from '#worker/ports/identity.ts'
import { isPublisher } from './approve-version.ts'
import { findPublished } from './learner-view.ts'
import { type Published, readPublishers, readPublishersOf } from './review-store.ts'

/**
 * Requires that one of a module's owners may send its small copy. It reaches learners at once, and nothing shows that it
 * is of the video: by the rules of an organization only those who publish the module send it, also before its first
 * version.
 * @throws {AppError} approval_needed
 */
export async function requireCopySender({ db }: Pick<Context, 'db'>, module: Published, caller: Caller): Promise<void> {
  if (isPublisher(await readPublishers(db, module.orgId), caller, module)) return
  throw new AppError('approval_needed', 'Somebody else has to send the small copy of this video.')
}

/**
 * Reads what the small copy of a module may be made without: what is shown neither in its draft nor to learners, who have
 * the same copy.
 * @throws {AppError} unavailable where their version cannot be read
 */
export async function readUnshown(context: Pick<Context, 'db' | 'bucket'>, module: ModuleRow): Promise<Cuts> {
  // Learners who see another video have the copy of that.
  const published = module.learnerSource === null ? await findPublished(context, module) : null
  return published === null ? module.cuts : intersect(module.cuts, published.content.cuts)
}

/** The same for the page of one of its owners; null where there is no copy, or the caller may not send one. */
export async function presentUnshown(
  context: Pick<Context, 'db' | 'bucket'>,
  module: ModuleRow,
  caller: Caller,
): Promise<Cuts | null> {
  if (module.smallCopy?.kind !== 'made') return null
  if (!isPublisher(await readPublishers(context.db, module.orgId), caller, module)) return null
  try {
    return (await readUnshown(context, module)).slice(0, CUTS_MAX)
  } catch (error) {
    // Owners open their page also where a version is lost.
    if (error instanceof AppError && error.code === 'unavailable') return null
    throw error
  }
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
  const publishersOf = await readPublishersOf(db, lacking)
  return lacking
    .filter((module) => isPublisher(publishersOf(module), caller, module))
    .map(({ id, title }) => ({ id, title }))
}
