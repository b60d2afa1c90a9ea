// Apart from what is shown: a player needs no more than this.
import type { TimeRanges } from './time-ranges.ts'

/** The same moment, or the next one that is shown. */
export function skipCuts(atS: number, cuts: TimeRanges): number {
  return cuts.find(([from, to]) => from <= atS && atS < to)?.[1] ?? atS
}

/** The moment so much earlier that is shown, for a jump back that would end in what is left out. */
export function skipCutsBack(atS: number, cuts: TimeRanges): number {
  const [fromS, toS] = cuts.findLast(([from, to]) => from <= atS && atS < to) ?? [atS, atS]
  if (fromS === toS) return atS
  const beforeS = fromS - (toS - atS)
  return beforeS < 0 ? skipCuts(0, cuts) : skipCutsBack(beforeS, cuts)
}
