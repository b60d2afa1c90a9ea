import { type TimeRanges, unite } from '#contract/time/time-ranges.ts'
import { type Segments } from './learner.ts'

/**
 * Drops the shortest ranges until the rest fits. Gaps are never closed, so that no second counts that was not seen.
 * @param maxChars of the ranges as JSON
 */
export function boundRanges(ranges: TimeRanges, maxChars: number): TimeRanges {
  return dropShortest(ranges, JSON.stringify, maxChars)
}

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
