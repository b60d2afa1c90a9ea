/** Some seconds of a video, whole ones where they are counted: `[from, to)`, sorted, none touching another. */
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

/** Seconds that are in the first and not in the second. */
export function subtract(some: TimeRanges, others: TimeRanges): TimeRanges {
  return some.flatMap(([start, end]) => {
    const rest: [number, number][] = []
    let from = start
    for (const [otherFrom, otherTo] of others) {
      if (otherTo <= from || otherFrom >= end) continue
      if (otherFrom > from) rest.push([from, otherFrom])
      from = otherTo
    }
    if (from < end) rest.push([from, end])
    return rest
  })
}

/** How many seconds these are. */
export function lengthOf(ranges: TimeRanges): number {
  return ranges.reduce((sum, [from, to]) => sum + to - from, 0)
}
