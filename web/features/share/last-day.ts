/** The moment after the last of a day, in this browser's time zone, as ISO 8601 in UTC. @param day `2026-12-24` */
export function writeLastDay(day: string): string {
  const [year = 0, month = 0, date = 0] = day.split('-').map(Number)
  // The next midnight, and not 24 hours on: a day may have 23 or 25.
  return new Date(year, month - 1, date + 1).toISOString()
}

/** The last day of something that ends at a moment, in this browser's time zone: `2026-12-24`. */
export function readLastDay(endsAt: string): string {
  const last = new Date(Date.parse(endsAt) - 1)
  const pad = (value: number, digits: number) => String(value).padStart(digits, '0')
  return `${pad(last.getFullYear(), 4)}-${pad(last.getMonth() + 1, 2)}-${pad(last.getDate(), 2)}`
}

/** Today, in this browser's time zone. */
export function readToday(): string {
  return readLastDay(new Date(Date.now() + 1).toISOString())
}
