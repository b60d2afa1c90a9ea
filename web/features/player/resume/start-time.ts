const CLOCK = /^(?:(\d{1,3}):)?(\d{1,3}):([0-5]?\d)$/
const UNITS = /^(?:(\d{1,3})h)?(?:(\d{1,5})m)?(?:(\d{1,6}(?:\.\d{1,3})?)s)?$/i
const PLAIN = /^\d{1,6}(?:\.\d{1,3})?$/

/** Seconds meant by `90`, `90.5`, `1m30s`, `1h2m3s`, `1:30` or `1:02:03`; null for anything else. */
export function parseTime(text: string | null): number | null {
  const trimmed = text?.trim() ?? ''
  if (trimmed === '') return null
  if (PLAIN.test(trimmed)) return Number(trimmed)
  const [whole, hours = 0, minutes = 0, seconds = 0] = CLOCK.exec(trimmed) ?? UNITS.exec(trimmed) ?? []
  return whole === undefined ? null : Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds)
}

/** Where a link asks the video to start: `seek`, else `t`. Null when neither holds a time. */
export function readStartTime(query: URLSearchParams): number | null {
  return parseTime(query.get('seek')) ?? parseTime(query.get('t'))
}
