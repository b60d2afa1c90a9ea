import { z } from 'zod'

/** A module that was deleted and can still be restored. */
export const DeletedModule = z.object({
  id: z.string(),
  title: z.string(),
  /** ISO 8601, UTC. */
  deletedAt: z.string(),
  /** Until then; ISO 8601, UTC. */
  restorableUntil: z.string(),
})
export type DeletedModule = z.infer<typeof DeletedModule>

/** Answer of `GET /api/modules/deleted`: the last deleted first, at most a hundred. */
export const DeletedListAnswer = z.object({ success: z.literal(true), modules: z.array(DeletedModule) })
export type DeletedListAnswer = z.infer<typeof DeletedListAnswer>
