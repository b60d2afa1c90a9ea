import type { LiveEvent } from '#contract/live.ts'
import type { Db } from '#worker/db/db.ts'
import { type ModuleRow, selectModule } from '#worker/domain/module/module-store.ts'
import { uploadPercentOf } from '#worker/domain/module/present-module.ts'
import { selectSegmentCount } from '#worker/domain/transcript/transcript-store.ts'
import { faultOf } from '#worker/errors.ts'
import { logLine } from '#worker/log/log-line.ts'
import { currentTrace } from '#worker/log/trace.ts'

/** What the room adds its sequence number to. */
export type Announcement = Omit<LiveEvent, 'seq'>

/** The module, run and request of an announcement; not sent to watchers. */
export interface PublishedOf {
  moduleId: string
  run: number
  requestId?: string | undefined
}

/**
 * Publishes the current state of a module to everyone who watches it. Advisory: an unreachable room costs its watchers
 * at most one poll, so a failure here is logged and never fails the work that it reports.
 */
export async function publishModule(deps: { db: Db; rooms: Env['MODULE_ROOM'] }, moduleId: string): Promise<void> {
  try {
    const [[module], [said]] = await deps.db.batch([
      selectModule(deps.db, moduleId),
      selectSegmentCount(deps.db, moduleId),
    ])
    if (module !== undefined) await publishState(deps.rooms, module, said?.segments ?? 0)
  } catch (error) {
    logLine('warn', 'publish_failed', { moduleId, ...faultOf(error) })
  }
}

/** The same with what a job has just written and therefore knows. */
export async function publishState(rooms: Env['MODULE_ROOM'], module: ModuleRow, segmentCount: number): Promise<void> {
  const { id: moduleId, status, progress, message, stepsVersion, run } = module
  const uploadPercent = uploadPercentOf(module)
  const announcement: Announcement = {
    kind: 'module',
    status,
    progress,
    message,
    uploadPercent,
    stepsVersion,
    segmentCount,
  }
  try {
    await rooms
      .get(rooms.idFromName(moduleId))
      .publish(announcement, { moduleId, run, requestId: currentTrace().requestId })
  } catch (error) {
    logLine('warn', 'publish_failed', { moduleId, ...faultOf(error) })
  }
}
