import type { LiveEvent } from '#contract/live.ts'
import type { Db } from '#worker/db/db.ts'
import { findModule } from '#worker/domain/module/module-store.ts'
import { countSegments } from '#worker/domain/transcript/transcript-store.ts'

/** What the room adds its sequence number to. */
export type Announcement = Omit<LiveEvent, 'seq'>

/**
 * Tells everyone who watches a module what is true now. Advisory: the room being out of reach costs its watchers at
 * most one poll, so a failure here is logged and never fails the work that it reports.
 */
export async function announceModule(deps: { db: Db; rooms: Env['MODULE_ROOM'] }, moduleId: string): Promise<void> {
  try {
    const module = await findModule(deps.db, moduleId)
    if (module === null) return
    const room = deps.rooms.get(deps.rooms.idFromName(moduleId))
    const announcement: Announcement = {
      kind: 'module',
      status: module.status,
      progress: module.progress,
      message: module.message,
      stepsVersion: module.stepsVersion,
      segmentCount: await countSegments(deps.db, moduleId),
    }
    await room.publish(announcement, module.run)
  } catch (error) {
    console.warn({ event: 'announce_failed', moduleId, error: String(error) })
  }
}
