import type { LiveEvent } from '#contract/live.ts'
import type { Db } from '#worker/db/db.ts'
import { selectModule } from '#worker/domain/module/module-store.ts'
import { selectSegmentCount } from '#worker/domain/transcript/transcript-store.ts'

/** What the room adds its sequence number to. */
export type Announcement = Omit<LiveEvent, 'seq'>

/** Of which module and run an announcement is; not told to watchers. */
export interface Announced {
  moduleId: string
  run: number
}

/**
 * Tells everyone who watches a module what is true now. Advisory: the room being out of reach costs its watchers at
 * most one poll, so a failure here is logged and never fails the work that it reports.
 */
export async function announceModule(deps: { db: Db; rooms: Env['MODULE_ROOM'] }, moduleId: string): Promise<void> {
  try {
    const [[module], [said]] = await deps.db.batch([
      selectModule(deps.db, moduleId),
      selectSegmentCount(deps.db, moduleId),
    ])
    if (module === undefined) return
    const room = deps.rooms.get(deps.rooms.idFromName(moduleId))
    const announcement: Announcement = {
      kind: 'module',
      status: module.status,
      progress: module.progress,
      message: module.message,
      stepsVersion: module.stepsVersion,
      segmentCount: said?.segments ?? 0,
    }
    await room.publish(announcement, { moduleId, run: module.run })
  } catch (error) {
    console.warn({ event: 'announce_failed', moduleId, error: String(error) })
  }
}
