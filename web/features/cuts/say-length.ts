import { lengthOf, type TimeRanges } from '#contract/time/time-ranges.ts'
import { formatTime } from '#web/lib/format/format-time.ts'

/** How long ranges are together, as "03:40". */
export function sayLength(ranges: TimeRanges): string {
  return formatTime(Math.round(lengthOf(ranges)))
}
