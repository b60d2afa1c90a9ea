import { eraseModule } from '#worker/domain/module/erase-module.ts'
import {
  listAbandonedModules,
  listAwaitedModules,
  listDeletedModules,
  listQuietModules,
  type ModuleRow,
} from '#worker/domain/module/module-store.ts'
import { removeUsesBefore } from '#worker/domain/quota/quota-store.ts'
import { dayOf } from '#worker/domain/quota/take-quota.ts'
import { MAX_REDRIVES, QUIET_MS, watchModule } from '#worker/domain/run/watch-run.ts'
import { breakTurnsBefore } from '#worker/domain/tutor/turn-store.ts'
import { noticeUpload } from '#worker/domain/upload/notice-upload.ts'
import type { UploadDeps } from '#worker/domain/upload/receive-upload.ts'
import { faultOf } from '#worker/errors.ts'
import { logLine } from '#worker/log/log-line.ts'

/** Presigned but never uploaded. */
const ABANDONED_AFTER_MS = 24 * 60 * 60_000
/** Twice as long as any answer is given. */
const ANSWER_LOST_AFTER_MS = 2 * 60_000
/** No quota looks further back than its own day; clocks may differ around midnight. */
const USES_KEPT_MS = 2 * 24 * 60 * 60_000
/** A queue job may run for 15 minutes, and one that began before the module was deleted may still write. */
const ERASE_AFTER_MS = 30 * 60_000

/**
 * Scheduled work: looks after every module that has gone quiet, in case its room's own watchdog did not, starts what was
 * uploaded without a word, removes what nobody finished, and marks answers as broken that nobody is giving any more.
 */
export async function sweep(deps: UploadDeps): Promise<void> {
  const nowMs = deps.nowMs()
  const quiet = await listQuietModules(deps.db, { beforeMs: nowMs - QUIET_MS, redrivesMax: MAX_REDRIVES })
  await forEach(quiet, (module) => watchModule(deps, module.id))
  const awaited = await listAwaitedModules(deps.db, nowMs - ABANDONED_AFTER_MS)
  await forEach(awaited, (module) => noticeUpload(deps, module.sourceKey))
  const abandoned = await listAbandonedModules(deps.db, nowMs - ABANDONED_AFTER_MS)
  const deleted = await listDeletedModules(deps.db, nowMs - ERASE_AFTER_MS)
  await forEach(abandoned, (module) => eraseAbandoned(deps, module))
  await forEach(deleted, (module) => eraseModule(deps, module))
  await removeUsesBefore(deps.d1, dayOf(nowMs - USES_KEPT_MS))
  await breakTurnsBefore(deps.db, nowMs - ANSWER_LOST_AFTER_MS, nowMs)
  const counts = { quiet: quiet.length, awaited: awaited.length, abandoned: abandoned.length, deleted: deleted.length }
  logLine('info', 'sweep', { durationMs: deps.nowMs() - nowMs, counts })
}

/** A machine that was off for a day may find an upload that has arrived after all. */
async function eraseAbandoned(deps: UploadDeps, module: ModuleRow): Promise<void> {
  if ((await noticeUpload(deps, module.sourceKey)) !== 'received') await eraseModule(deps, module)
}

/** One module that cannot be helped must not keep the others from it. */
async function forEach(modules: ModuleRow[], act: (module: ModuleRow) => Promise<unknown>): Promise<void> {
  for (const module of modules) {
    try {
      await act(module)
    } catch (error) {
      logLine('warn', 'sweep_failed', { moduleId: module.id, ...faultOf(error) })
    }
  }
}
