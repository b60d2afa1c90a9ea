import { type TimeRanges, unite } from '#contract/time-ranges.ts'

/**
 * Drops the shortest ranges until the rest fits. Gaps are never closed, so that no second counts that was not seen.
 * @param maxChars of the ranges as JSON
 */
export function boundRanges(ranges: TimeRanges, maxChars: number): TimeRanges {
  return dropShortest(ranges, (kept) => JSON.stringify(kept).length <= maxChars)
}

/** Played segments in seconds, as players report them. */
export type Segments = readonly (readonly [from: number, to: number])[]

/**
 * Joins adjacent segments; where there are too many to keep, they are merged in order of time, and then the shortest
 * ones are dropped.
 * @param maxChars of the segments as {@link writePlayed} writes them
 */
export function boundSegments(segments: Segments, maxChars: number): Segments {
  const fits = (kept: Segments) => writePlayed(kept).length <= maxChars
  const joined = joinSegments(segments)
  return fits(joined) ? joined : dropShortest(unite(joined, []), fits)
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

function dropShortest<Range extends readonly [number, number]>(
  ranges: readonly Range[],
  fits: (kept: readonly Range[]) => boolean,
): readonly Range[] {
  const shortestFirst = ranges.toSorted((a, b) => a[1] - a[0] - (b[1] - b[0]))
  const dropped = new Set<Range>()
  for (let kept = ranges; ; kept = ranges.filter((range) => !dropped.has(range))) {
    const next = shortestFirst[dropped.size]
    if (next === undefined || fits(kept)) return kept
    dropped.add(next)
  }
}
