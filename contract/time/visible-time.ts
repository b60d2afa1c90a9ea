import { skipCuts } from './skip-cuts.ts'
import { countSeconds, lengthOf, subtract, type TimeRanges, toWholeSeconds, unite } from './time-ranges.ts'

/**
 * What of a video is left out, in seconds of the file: nothing moves, so links, captions and steps keep their times.
 * Sorted, none touching another.
 */
export type Cuts = TimeRanges

/** Some of a video, seconds. */
interface Span {
  start: number
  end: number
}

/** Shorter ones are heard as a fault of the recording. */
export const CUT_MIN_S = 0.2
/** The times of speech are about as exact as that: a line of which less is left out is shown. */
const LINE_SLACK_S = 0.25

const inMs = (s: number) => Math.round(s * 1000) / 1000

/** Sorts and joins ranges, as cuts are stored; what is too short, or beyond the video, is dropped. */
export function tidyCuts(ranges: TimeRanges, durationS: number): Cuts {
  const within = ranges.map(([from, to]) => [inMs(from), inMs(Math.min(to, durationS))] as const)
  return unite(within, []).filter(([from, to]) => to - from >= CUT_MIN_S)
}

/** Finds what is shown of a span. All that reads time of a video asks this. */
export function findVisible({ start, end }: Span, cuts: Cuts): TimeRanges {
  return subtract([[start, end]], cuts)
}

/** The span without what is left out at its ends; null where nothing of it is shown. */
export function clampSpan({ start, end }: Span, cuts: Cuts): Span | null {
  if (start === end) return skipCuts(start, cuts) === start ? { start, end } : null
  const visible = findVisible({ start, end }, cuts)
  const [first, last] = [visible[0], visible.at(-1)]
  const isShown = lengthOf(visible) >= Math.min(CUT_MIN_S, end - start)
  return first && last && isShown ? { start: first[0], end: last[1] } : null
}

/** Whether a line of speech is left out: as soon as one word of it may be, since words have no times of their own. */
export function isLineCut({ start, end }: Span, cuts: Cuts): boolean {
  if (start === end) return skipCuts(start, cuts) !== start
  const cutS = end - start - lengthOf(findVisible({ start, end }, cuts))
  return cutS > Math.min(LINE_SLACK_S, (end - start) / 2)
}

/** Lines of speech without those that are left out. */
export function listVisibleLines<Line extends Span>(lines: readonly Line[], cuts: Cuts): Line[] {
  return lines.filter((line) => !isLineCut(line, cuts))
}

/** Steps with the times that are shown; those of which nothing is leave. */
export function listVisibleSteps<Step extends Span>(steps: readonly Step[], cuts: Cuts): Step[] {
  return steps.flatMap((step) => {
    const span = clampSpan(step, cuts)
    return span === null ? [] : { ...step, ...span }
  })
}

/** Whole seconds that are shown: at least one, the last one may be short. */
function countShownSeconds(durationS: number, cuts: Cuts): number {
  return Math.max(1, countSeconds(durationS) - lengthOf(toWholeSeconds(cuts, durationS)))
}

/** Share of what is shown that was seen, 0 to 100, rounded down. @param seen whole seconds */
export function percentOfShown(seen: TimeRanges, { durationS, cuts }: { durationS: number; cuts: Cuts }): number {
  const seenS = lengthOf(subtract(seen, toWholeSeconds(cuts, durationS)))
  return Math.min(100, Math.floor((seenS * 100) / countShownSeconds(durationS, cuts)))
}

/** The percent of all of a video that somebody has who has seen so many percent of what is shown. */
export function percentOfWhole(percent: number, { durationS, cuts }: { durationS: number; cuts: Cuts }): number {
  return Math.floor((percent * countShownSeconds(durationS, cuts)) / countSeconds(durationS))
}
