import type { LearningReport } from '#contract/learning.ts'
import { PLAYBACK_RATE_MAX } from '#contract/limits.ts'
import {
  countSeconds,
  intersect,
  lengthOf,
  type Seen,
  type TimeRanges,
  toWholeSeconds,
  unite,
} from '#contract/time-ranges.ts'
import { EARLY_MAX_S, RANGES_MAX_CHARS } from './learning-limits.ts'

/** What is known of a learner of a module. */
export interface Learner {
  seen: Seen
  /** Seconds that were reported no faster than they can be played. */
  verified: TimeRanges
  /** Up to when verified reports have used up time; null before the first. */
  creditedUntilMs: number | null
  /** Whole second at which the video stood last. */
  positionS: number
}

/** A learner who has seen nothing. */
export const NEW_LEARNER: Learner = {
  seen: { once: [], again: [] },
  verified: [],
  creditedUntilMs: null,
  positionS: 0,
}

/** Playback restarts after the end, so a learner who stops this close to it has finished. */
const END_S = 2

/** Returns the share of a video that these seconds are, 0–100, rounded down. */
export function percentOf(ranges: TimeRanges, durationS: number): number {
  return Math.min(100, Math.floor((lengthOf(ranges) * 100) / countSeconds(durationS)))
}

/** Adds a report to what is known of a learner. */
export function applyReport(
  before: Learner,
  report: Pick<LearningReport, 'segments' | 'position'>,
  { durationS, credit }: { durationS: number; credit: Exclude<Credit, { kind: 'early' }> },
): Learner {
  const isVerified = credit.kind === 'verified'
  const played = toWholeSeconds(report.segments, durationS)
  return boundLearner({
    seen: addSegments(before.seen, report.segments, durationS),
    verified: isVerified ? unite(before.verified, played) : before.verified,
    creditedUntilMs: isVerified ? credit.creditedUntilMs : before.creditedUntilMs,
    positionS: placeOf(report.position, durationS),
  })
}

/**
 * Joins what two learners have seen who are one person. Both may have used up the same time, which counts once.
 * @param later stands where the person has stopped
 * @param verifiedMaxS seconds that can be played in the time since the first session of either
 */
export function mergeLearners(earlier: Learner, later: Learner, verifiedMaxS: number): Learner {
  const again = unite(earlier.seen.again, later.seen.again)
  const until = [earlier.creditedUntilMs, later.creditedUntilMs].filter((at) => at !== null)
  return boundLearner({
    seen: {
      once: unite(earlier.seen.once, later.seen.once),
      again: unite(again, intersect(earlier.seen.once, later.seen.once)),
    },
    verified: mergeVerified(earlier.verified, later.verified, verifiedMaxS),
    creditedUntilMs: until.length === 0 ? null : Math.max(...until),
    positionS: later.positionS,
  })
}

function mergeVerified(some: TimeRanges, others: TimeRanges, maxS: number): TimeRanges {
  const both = unite(some, others)
  if (lengthOf(both) <= maxS) return both
  return lengthOf(some) > lengthOf(others) ? some : others
}

function boundLearner(learner: Learner): Learner {
  const bound = (ranges: TimeRanges) => boundRanges(ranges, RANGES_MAX_CHARS)
  const { once, again } = learner.seen
  return { ...learner, seen: { once: bound(once), again: bound(again) }, verified: bound(learner.verified) }
}

/** In order of time, what a segment has of the time before the latest end so far was seen again. */
function addSegments(seen: Seen, segments: Segments, durationS: number): Seen {
  const played = segments.flatMap((segment) => toWholeSeconds([segment], durationS)).toSorted((a, b) => a[0] - b[0])
  let latestEnd = 0
  const repeated = played.map(([from, to]): [number, number] => {
    const untilS = Math.min(to, latestEnd)
    latestEnd = Math.max(latestEnd, to)
    return [from, untilS]
  })
  const again = [...repeated, ...intersect(seen.once, unite(played, []))]
  return { once: unite(seen.once, played), again: unite(seen.again, again) }
}

function placeOf(positionS: number, durationS: number): number {
  return positionS >= durationS - END_S ? 0 : Math.floor(positionS)
}

/** Whether the clock allows what was reported. */
export type Credit =
  | { kind: 'verified'; creditedUntilMs: number }
  /** Good once so many seconds have passed. */
  | { kind: 'early'; waitS: number }
  | { kind: 'selfReported' }

/**
 * Checks a report against the time since its session began, at the fastest playback rate. Time that another report of
 * the learner has used up does not count twice, so that many sessions credit no more than one.
 * @param report `startedAtMs` is when its session began and `nowMs` what time it is, by the server's clock
 */
export function creditReport({
  segments,
  durationS,
  startedAtMs,
  creditedUntilMs,
  nowMs,
}: Pick<Learner, 'creditedUntilMs'> &
  Record<'durationS' | 'startedAtMs' | 'nowMs', number> & { segments: Segments }): Credit {
  // Whole seconds, as they are counted: they add up over reports that are cut anywhere.
  const playedS = segments.reduce((sum, segment) => sum + lengthOf(toWholeSeconds([segment], durationS)), 0)
  const fromMs = Math.max(startedAtMs, creditedUntilMs ?? 0)
  const untilMs = Math.ceil(fromMs + (playedS * 1000) / PLAYBACK_RATE_MAX)
  if (untilMs <= nowMs)
    return { kind: 'verified', creditedUntilMs: playedS === 0 ? (creditedUntilMs ?? fromMs) : untilMs }
  const waitS = Math.ceil((untilMs - nowMs) / 1000)
  return waitS <= EARLY_MAX_S ? { kind: 'early', waitS } : { kind: 'selfReported' }
}

/**
 * Drops the shortest ranges until the rest fits. Gaps are never closed, so that no second counts that was not seen.
 * @param maxChars of the ranges as JSON
 */
export function boundRanges(ranges: TimeRanges, maxChars: number): TimeRanges {
  return dropShortest(ranges, JSON.stringify, maxChars)
}

/** Played segments in seconds, as players report them. */
type Segments = readonly (readonly [from: number, to: number])[]

/**
 * Joins adjacent segments; where there are too many to keep, they are merged in order of time, and then the shortest
 * ones are dropped.
 * @param maxChars of the segments as {@link writePlayed} writes them
 */
export function boundSegments(segments: Segments, maxChars: number): Segments {
  const joined = joinSegments(segments)
  return writePlayed(joined).length <= maxChars ? joined : dropShortest(unite(joined, []), writePlayed, maxChars)
}

/** Formats played segments. @see https://w3id.org/xapi/video (1.0.3), `played-segments` */
export function writePlayed(segments: Segments): string {
  return segments.map(([from, to]) => `${from.toFixed(3)}[.]${to.toFixed(3)}`).join('[,]')
}

/** Parses what {@link writePlayed} has written. */
export function readPlayed(played: string): [number, number][] {
  const pieces = played === '' ? [] : played.split('[,]')
  return pieces.map((piece) => {
    const [from = 0, to = 0] = piece.split('[.]').map(Number)
    return [from, to]
  })
}

function joinSegments(segments: Segments): Segments {
  const joined: [number, number][] = []
  for (const [from, to] of segments) {
    const last = joined.at(-1)
    if (to <= from) continue
    if (last !== undefined && Math.abs(last[1] - from) < 0.001) last[1] = to
    else joined.push([from, to])
  }
  return joined
}

/** @param write of a list takes what each range takes alone, and the same for each more that stands between two */
function dropShortest(ranges: Segments, write: (ranges: Segments) => string, maxChars: number): Segments {
  const charsOf = (range: Segments[number]) => write([range, range]).length - write([range]).length
  const dropped = new Set<Segments[number]>()
  let chars = write(ranges).length
  for (const range of ranges.toSorted((a, b) => a[1] - a[0] - (b[1] - b[0]))) {
    if (chars <= maxChars) break
    dropped.add(range)
    chars -= charsOf(range)
  }
  return ranges.filter((range) => !dropped.has(range))
}
