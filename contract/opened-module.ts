import { z } from 'zod'

/** A training of another person that the caller has opened. */
export const OpenedModule = z.object({
  id: z.string(),
  title: z.string(),
  /** The last time; ISO 8601, UTC. */
  openedAt: z.string(),
  /** Path of the training page. */
  trainingUrl: z.string(),
  /** Path of the thumbnail, good for some hours; null while there is none. */
  posterUrl: z.string().nullable(),
  /** Duration of the video in seconds; null until it is known. */
  totalDuration: z.number().nullable(),
  /** How many different seconds of it the caller has seen, signed in. */
  seenSeconds: z.number().int(),
  /** When the caller completed it; null while that is not so. */
  completedAt: z.string().nullable(),
})
export type OpenedModule = z.infer<typeof OpenedModule>

/** Answer of `GET /api/opened-modules`: newest first, without those that the caller can no longer open. */
export const OpenedListAnswer = z.object({ success: z.literal(true), modules: z.array(OpenedModule) })
export type OpenedListAnswer = z.infer<typeof OpenedListAnswer>
