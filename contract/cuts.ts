import { z } from 'zod'
import { CUTS_MAX, VIDEO_MAX_S } from './limits.ts'

const seconds = z.number().finite().min(0).max(VIDEO_MAX_S)

/** What of a video is left out, as `visible-time.ts` reads it. */
export const CutRanges = z
  .array(z.tuple([seconds, seconds]).readonly())
  .max(CUTS_MAX)
  .readonly()

/** Body of `PUT /api/steps/{id}/cuts`. A stale `version` is refused, as that of steps is. */
export const SaveCuts = z.strictObject({ cuts: CutRanges, version: z.number().int().optional() })
export type SaveCuts = z.infer<typeof SaveCuts>
