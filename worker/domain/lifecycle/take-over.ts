import { getOwnModule, moduleNotFound } from '#worker/domain/module/get-module.ts'
import { mayTakeOver } from '#worker/domain/module/module-access.ts'
import { updateUploader } from '#worker/domain/module/ownership-store.ts'
import { admitRuns } from '#worker/domain/run/admit-runs.ts'
import type { RunDeps } from '#worker/domain/run/run-deps.ts'
import { logLine } from '#worker/log/log-line.ts'
import type { Caller } from '#worker/ports/identity.ts'

/**
 * Makes an organization's admin the uploader of a member's module. The member, and every ticket of the member, keeps what
 * the organization gives and nothing else. Doing it twice changes nothing.
 * @throws {AppError} not_found, also for owners who are not admins of the module's organization
 */
export async function takeOver(deps: RunDeps, caller: Caller, moduleId: string): Promise<void> {
  const { id, orgId, userId } = await getOwnModule(deps.db, caller, moduleId)
  if (orgId === null || !mayTakeOver(caller, { orgId })) throw moduleNotFound()
  if (userId === caller.userId) return
  if (!(await updateUploader(deps.db, id, { orgId, from: userId, to: caller.userId }))) throw moduleNotFound()
  logLine('info', 'module_taken_over', { moduleId: id, fromUserId: userId, userId: caller.userId })
  // Runs wait for their owner's turn, and both owners have changed.
  await admitRuns(deps, caller.userId)
  await admitRuns(deps, userId)
}
