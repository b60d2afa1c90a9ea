import { intersect, lengthOf, subtract, type TimeRanges } from './time/time-ranges.ts'

/** A step is finished when so much of it has been seen: people leave it a little before its end. */
const FINISHED_SHARE = 0.9
/** Fewer seconds that were seen again are the overlap of a jump, not a second look. */
const SECOND_LOOK_S = 3

/** Times of a step, seconds. */
export interface StepSpan {
  start: number
  end: number
}

/** What a learner has seen of a video. */
export interface Seen {
  once: TimeRanges
  /** What was seen twice or more; part of `once`. */
  again: TimeRanges
}

/**
 * How far a learner is with a step; some of a reached one was seen. A learner who finished it, or looked at it twice,
 * has reached it. A step without length is finished when the second it stands in was seen.
 * @param hidden whole seconds that are left out of the video
 */
export function judgeStep({ start, end }: StepSpan, seen: Seen, hidden: TimeRanges = []) {
  const from = Math.floor(start)
  const span = subtract([[from, Math.max(from + 1, Math.round(end))]], hidden)
  const seenS = lengthOf(intersect(span, seen.once))
  const againS = lengthOf(intersect(span, seen.again))
  const lengthS = lengthOf(span)
  return {
    isReached: seenS > 0,
    isFinished: seenS >= Math.ceil(lengthS * FINISHED_SHARE),
    isRewatched: againS >= Math.min(SECOND_LOOK_S, lengthS),
  }
}
