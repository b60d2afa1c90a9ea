import type { LearningReport } from '#contract/learning.ts'
import type { Seen } from '#contract/step-progress.ts'
import {
  countSeconds,
  intersect,
  lengthOf,
  type TimeRanges,
  toWholeSeconds,
  unite,
} from '#contract/time/time-ranges.ts'
import { boundRanges } from './bound-ranges.ts'
import { type Credit } from './credit-report.ts'
import { type Learner, type Segments } from './learner.ts'
import { RANGES_MAX_CHARS } from './learning-limits.ts'

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

/** Adds a report to the stored state of a learner. */
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
  const until = [earlier.creditedUntilMs, later.creditedUntilMs].filter((timeMs) => timeMs !== null)
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

/** With the segments in order of time, the part of one before the latest end so far was seen again. */
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

/** Parses what {@link writePlayed} has written. */
export function readPlayed(played: string): [number, number][] {
  const pieces = played === '' ? [] : played.split('[,]')
  return pieces.map((piece) => {
    const [from = 0, to = 0] = piece.split('[.]').map(Number)
    return [from, to]
  })
}
