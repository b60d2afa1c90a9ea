import { z } from 'zod'
import { Module, NewVersion } from './module.ts'
import { Success } from './problem.ts'

/**
 * An event on a module's socket. Only public fields, but for `newVersion` and `danger`, which only owners get: they load the rest from
 * the API when an event says that it changed; when `stepsVersion` differs from the one on the screen, steps are loaded again. Events are a hint, never the
 * truth; a missed one costs at most one poll.
 */
export const LiveEvent = Module.pick({ status: true, progress: true, message: true, stepsVersion: true }).extend({
  /** Position in the module's log; grows by one per event. Reconnect with the last one seen as `cursor`. */
  seq: z.number().int(),
  kind: z.literal('module'),
  /** Percent of the video that has arrived; left out by events that were kept since before there were any. */
  uploadPercent: z.number().int().optional(),
  /** Left out for everyone but owners, and while there is none. */
  newVersion: NewVersion.optional(),
  /** Says that a learner has just reported a danger; only owners get it. */
  danger: z.literal(true).optional(),
  /** Segments of the transcript so far. */
  segmentCount: z.number().int(),
})
export type LiveEvent = z.infer<typeof LiveEvent>

/** Answer of the two ticket calls. A ticket opens the module's socket until it expires; it is not a login. */
export const LiveTicketAnswer = Success.extend({
  ticket: z.string(),
  /** ISO 8601, UTC. */
  expiresAt: z.string(),
})
export type LiveTicketAnswer = z.infer<typeof LiveTicketAnswer>
