import type { Seen } from '#contract/step-progress.ts'
import type { TimeRanges } from '#contract/time/time-ranges.ts'

/** The stored state of a learner of a module. */
export interface Learner {
  seen: Seen
  /** Seconds that were reported no faster than they can be played. */
  verified: TimeRanges
  /** Up to when verified reports have used up time; null before the first. */
  creditedUntilMs: number | null
  /** Whole second at which the video stood last. */
  positionS: number
}

/** Played segments in seconds, as players report them. */
export type Segments = readonly (readonly [from: number, to: number])[]
