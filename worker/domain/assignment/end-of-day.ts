import { DAY_MS } from '#contract/time/day.ts'

/** Whether a time zone has this IANA name. */
export function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name })
    return true
  } catch {
    return false
  }
}

/** How far the clocks of a time zone are ahead of UTC then. */
function offsetMs(atMs: number, timeZone: string): number {
  const parts = new Intl.DateTimeFormat('en', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  }).formatToParts(atMs)
  const read = (type: string) => Number(parts.find((part) => part.type === type)?.value)
  const localMs = Date.UTC(read('year'), read('month') - 1, read('day'), read('hour'), read('minute'), read('second'))
  return localMs - Math.floor(atMs / 1000) * 1000
}

/** The last millisecond of a day in a time zone. @param day ISO 8601, as in `2026-12-31` */
export function endOfDay(day: string, timeZone: string): number {
  const nextMidnight = Date.parse(`${day}T00:00:00.000Z`) + DAY_MS
  // Asked twice: the clocks may be changed between the two moments.
  const first = nextMidnight - offsetMs(nextMidnight, timeZone)
  return nextMidnight - offsetMs(first, timeZone) - 1
}

/** Which day it is in a time zone, as in `2026-12-31`. */
export function dayIn(atMs: number, timeZone: string): string {
  return new Date(atMs + offsetMs(atMs, timeZone)).toISOString().slice(0, 10)
}
