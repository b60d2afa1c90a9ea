/** Some whole seconds of a video: `[from, to)`, sorted, none touching another. */
export type TimeRanges = readonly (readonly [from: number, to: number])[]

/**
 * The whole seconds that were played: one counts as played when its middle was, so that playing on over a border counts
 * each second once.
 * @param segments `[from, to]` in seconds, in any order; what ends before it begins is nothing
 * @param durationS what lies beyond the end of the video is left out
 */
export function toWholeSeconds(segments: readonly (readonly [number, number])[], durationS: number): TimeRanges {
  const whole = segments.map(
    ([from, to]) => [Math.max(0, Math.round(from)), Math.min(countSeconds(durationS), Math.round(to))] as const,
  )
  return unite(whole, [])
}

/** How many seconds of a video can be played; the last one may be short. */
export function countSeconds(durationS: number): number {
  return Math.max(1, Math.round(durationS))
}

/** Seconds that are in either. */
export function unite(some: TimeRanges, others: TimeRanges): TimeRanges {
  const united: [number, number][] = []
  for (const [from, to] of [...some, ...others].toSorted((a, b) => a[0] - b[0])) {
    const last = united.at(-1)
    if (to <= from) continue
    if (last !== undefined && from <= last[1]) last[1] = Math.max(last[1], to)
    else united.push([from, to])
  }
  return united
}

/** Seconds that are in both. */
export function intersect(some: TimeRanges, others: TimeRanges): TimeRanges {
  const common: [number, number][] = []
  for (let i = 0, j = 0; ; ) {
    const [a, b] = [some[i], others[j]]
    if (a === undefined || b === undefined) return common
    const [from, to] = [Math.max(a[0], b[0]), Math.min(a[1], b[1])]
    if (from < to) common.push([from, to])
    if (a[1] < b[1]) i++
    else j++
  }
}

/** How many seconds these are. */
export function lengthOf(ranges: TimeRanges): number {
  return ranges.reduce((sum, [from, to]) => sum + to - from, 0)
}

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
 */
export function judgeStep({ start, end }: StepSpan, seen: Seen) {
  const from = Math.floor(start)
  const span = [[from, Math.max(from + 1, Math.round(end))]] as const
  const seenS = lengthOf(intersect(span, seen.once))
  const againS = lengthOf(intersect(span, seen.again))
  const lengthS = lengthOf(span)
  return {
    isReached: seenS > 0,
    isFinished: seenS >= Math.ceil(lengthS * FINISHED_SHARE),
    isRewatched: againS >= Math.min(SECOND_LOOK_S, lengthS),
  }
}
