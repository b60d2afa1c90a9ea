import { LINKS_MAX } from '#contract/limits.ts'
import type { ModulePatch } from '#contract/module.ts'
import type { Context } from '#worker/core/context.ts'
import { AppError } from '#worker/core/errors.ts'
import { hashPassword } from './link-password.ts'
import { linkIdOf } from './link-state.ts'
import { findByLink, updateLink } from './link-store.ts'
import { makeModuleId } from './module-id.ts'
import type { ModuleRow, NewModule } from './module-store.ts'

/** What an owner wants of a link, as it is kept. Another password begins to count wrong ones anew. */
export async function toLinkChange({
  linkEndsAt,
  linkPassword,
}: Pick<ModulePatch, 'linkEndsAt' | 'linkPassword'>): Promise<
  Partial<Pick<NewModule, 'linkEndsAt' | 'linkPassword' | 'linkMisses' | 'linkMissedAt'>>
> {
  return {
    ...(linkEndsAt !== undefined && { linkEndsAt: linkEndsAt === null ? null : Date.parse(linkEndsAt) }),
    ...(linkPassword !== undefined && {
      linkPassword: linkPassword === null ? null : await hashPassword(linkPassword),
      linkMisses: 0,
      linkMissedAt: null,
    }),
  }
}

/**
 * Gives a module a new link, at the same moment ending the one before.
 * @param options `forwards`: whether the one before leads to it, and does not only say that it was replaced
 * @returns what is in the address of the new one
 * @throws {AppError} invalid_request after too many; version_conflict where another owner was faster
 */
export async function replaceLink(
  { db, d1 }: Pick<Context, 'db' | 'd1'>,
  module: ModuleRow,
  { forwards }: { forwards: boolean },
): Promise<string> {
  const code = makeModuleId()
  if (await updateLink(d1, module, { code, forwards })) return code
  const now = await findByLink(db, linkIdOf(module))
  throw now !== null && linkIdOf(now) === linkIdOf(module)
    ? new AppError('invalid_request', `A training has at most ${LINKS_MAX} links, one after the other.`)
    : new AppError('version_conflict', 'Another owner has just made a new link.')
}
