import type { Context } from '#worker/core/context.ts'
import { faultOf } from '#worker/core/errors.ts'
import { publishModule } from '#worker/domain/live/publish.ts'
import {
  restoreRow,
  SETTLED_AFTER_MS,
  softDeleteModule,
  softDeleteUpload,
} from '#worker/domain/module/deleted-store.ts'
import { getOwnModule, mayDelete, mayTakeOver, moduleNotFound } from '#worker/domain/module/get-module.ts'
import { type ModuleRow, updateUploader } from '#worker/domain/module/module-store.ts'
import { refundUpload } from '#worker/domain/quota/quota-store.ts'
import { findRun } from '#worker/domain/run/run-store.ts'
import { ringAll } from '#worker/domain/run/run-task-store.ts'
import { admitRuns, startRun } from '#worker/domain/run/start-run.ts'
import { removePassages } from '#worker/domain/search/passage-store.ts'
import { logLine } from '#worker/log/log.ts'
import type { Caller } from '#worker/ports/identity.ts'
import { removeModuleObjects } from './erase-module.ts'

/**
 * Takes a module off every page and link at once; a run in progress stops at its next checkpoint. Nothing of it is
 * lost: it can be restored for seven days, and goes with a later sweep.
 * @throws {AppError} not_found, also when it has been deleted before, or the caller owns it but may not delete it
 */
export async function deleteModule(context: Context, caller: Caller, moduleId: string): Promise<void> {
  const module = await getDeletable(context, caller, moduleId)
  await softDeleteModule(context.db, module.id, { nowMs: context.nowMs(), kind: 'restorable' })
  await forgetPassages(context, [module.id])
  await admitRuns(context, module.userId)
}

/** Keeps deleted modules from filling what one search reads. They are found no more, and erasing them does it again. */
export async function forgetPassages({ search }: Pick<Context, 'search'>, moduleIds: readonly string[]): Promise<void> {
  try {
    await removePassages(search, moduleIds)
  } catch (error) {
    logLine('warn', 'search_index_away', faultOf(error))
  }
}

async function getDeletable({ db }: Context, caller: Caller, moduleId: string): Promise<ModuleRow> {
  const module = await getOwnModule(db, caller, moduleId)
  if (!mayDelete(caller, module)) throw moduleNotFound()
  return module
}

/**
 * Restores a deleted module as it was, for those who may delete it; its unfinished run continues. Idempotent.
 * @throws {AppError} not_found, also when its time is over
 */
export async function restoreModule(context: Context, caller: Caller, moduleId: string): Promise<void> {
  const module = await restoreRow(context.db, caller, { moduleId, nowMs: context.nowMs() })
  // It may have been restored before.
  if (module === null) await getDeletable(context, caller, moduleId)
  else if (module.runStatus === 'PROCESSING') await continueRun(context, module)
}

/** Its tasks are as they were; the announcement sets the watchdog. */
async function continueRun(context: Context, module: ModuleRow): Promise<void> {
  const run = await findRun(context.db, { moduleId: module.id, run: module.run })
  // It was deleted between two steps of what ends a run and begins the next.
  const isOver = module.sourceEtag !== null && (run === null || run.endedAt !== null)
  if (isOver) await startRun(context, module, { trigger: 'upload' })
  else if (run?.admittedAt === null) await admitRuns(context, module.userId)
  else if (run !== null) await ringAll(context)
  await publishModule(context, module.id)
}

/**
 * Ends an upload for good: its module is gone for everyone, and so is what has arrived. Whatever comes late finds no
 * module and starts nothing; an object that it leaves behind goes with the sweep. What was counted of it is refunded
 * once no address takes bytes for it any more. A video that has arrived at this very
 * moment is deleted like any other, and can be restored.
 * @throws {AppError} not_found, also when the caller owns the module but may not delete it
 */
export async function cancelUpload(context: Context, caller: Caller, moduleId: string): Promise<void> {
  const module = await getDeletable(context, caller, moduleId)
  if (!(await softDeleteUpload(context.db, moduleId, context.nowMs()))) return deleteModule(context, caller, moduleId)
  await removeModuleObjects(context.bucket, module)
  await refundUpload(context.d1, moduleId, context.nowMs() + SETTLED_AFTER_MS)
  await admitRuns(context, module.userId)
}

/**
 * Makes an organization's admin the uploader of a member's module. The member, and every ticket of the member, keeps what
 * the organization gives and nothing else. Doing it twice changes nothing.
 * @throws {AppError} not_found, also for owners who are not admins of the module's organization
 */
export async function takeOver(context: Context, caller: Caller, moduleId: string): Promise<void> {
  const { id, orgId, userId } = await getOwnModule(context.db, caller, moduleId)
  if (orgId === null || !mayTakeOver(caller, { orgId })) throw moduleNotFound()
  if (userId === caller.userId) return
  if (!(await updateUploader(context.db, id, { orgId, from: userId, to: caller.userId }))) throw moduleNotFound()
  logLine('info', 'module_taken_over', { moduleId: id, fromUserId: userId, userId: caller.userId })
  // Runs wait for their owner's turn, and both owners have changed.
  await admitRuns(context, caller.userId)
  await admitRuns(context, userId)
}
