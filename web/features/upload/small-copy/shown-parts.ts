import { lengthOf, subtract, type TimeRanges } from '#contract/time/time-ranges.ts'
import { CUT_MIN_S, type Cuts } from '#contract/time/visible-time.ts'

/**
 * Lists what of a video goes into its copy, in seconds from where it begins. The last part has no end where the video
 * plays to its own, which files tell less exactly than their last frame and packet do.
 */
export function listShown(cuts: Cuts, durationS: number): TimeRanges {
  const parts = subtract([[0, durationS]], cuts)
  const last = parts.at(-1)
  if (last === undefined || last[1] < durationS) return parts
  const before = parts.slice(0, -1)
  // A cut ends with the video as it was measured then, to the millisecond.
  return cuts.length > 0 && last[1] - last[0] < CUT_MIN_S ? before : [...before, [last[0], Number.POSITIVE_INFINITY]]
}

/** Whether a moment is in one of the parts. */
export function isShown(timeS: number, shown: TimeRanges): boolean {
  return shown.some(([from, to]) => from <= timeS && timeS < to)
}

/** The parts with the end that the video has. */
export function endAt(shown: TimeRanges, durationS: number): TimeRanges {
  return shown.map(([from, to]) => [from, Math.min(to, durationS)] as const)
}

/** Moments of the parts, evenly spread over what they are together. */
export function spreadOver(parts: TimeRanges, count: number): number[] {
  const lengthS = lengthOf(parts)
  return Array.from({ length: count }, (_, at) => {
    let leftS = (lengthS * (at + 0.5)) / count
    for (const [from, to] of parts) {
      if (leftS < to - from) return from + leftS
      leftS -= to - from
    }
    return parts.at(-1)?.[1] ?? 0
  })
}
