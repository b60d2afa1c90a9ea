import { AppError } from '#worker/core/errors.ts'
import { managesModules } from '#worker/domain/organization/membership.ts'
import type { Caller } from '#worker/ports/identity.ts'

/**
 * The organization whose people the caller manages: the active one, for those who manage its modules.
 * @throws {AppError} not_found for everyone else
 */
export function requireManaged(caller: Caller): string {
  if (caller.orgId !== null && managesModules(caller)) return caller.orgId
  throw new AppError('not_found', 'You do not manage an organization here.')
}
