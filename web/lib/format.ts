import * as m from '#messages'

const SECONDS_PER_HOUR = 3600

function pad(value: number): string {
  return String(value).padStart(2, '0')
}

/** `mm:ss`, and `hh:mm:ss` past the hour. Fractions are cut off, so a label never runs ahead of the video. */
export function formatTime(seconds: number): string {
  const whole = Number.isFinite(seconds) ? Math.max(0, Math.floor(seconds)) : 0
  const minutesAndSeconds = `${pad(Math.floor((whole % SECONDS_PER_HOUR) / 60))}:${pad(whole % 60)}`
  return whole < SECONDS_PER_HOUR
    ? minutesAndSeconds
    : `${pad(Math.floor(whole / SECONDS_PER_HOUR))}:${minutesAndSeconds}`
}

/** The same length in words, for screen readers: `1 minute 5 seconds`. */
export function speakTime(seconds: number): string {
  const whole = Math.max(0, Math.floor(seconds))
  const parts = [
    [Math.floor(whole / SECONDS_PER_HOUR), m.length_in_hours],
    [Math.floor((whole % SECONDS_PER_HOUR) / 60), m.length_in_minutes],
    [whole % 60, m.length_in_seconds],
  ] as const
  const spoken = parts.filter(([count]) => count > 0).map(([count, say]) => say({ count }))
  return spoken.join(' ') || m.length_in_seconds({ count: 0 })
}

const TIME = /^(?:(\d{1,3}):(?=[0-5]\d:))?(\d{1,3}):([0-5]\d)$/

/** Reads `mm:ss` or `hh:mm:ss` as seconds; null for anything else. Minutes may pass the hour: `75:30`. */
export function parseTime(text: string): number | null {
  const [isTime, hours = '0', minutes, seconds] = TIME.exec(text.trim()) ?? []
  return isTime === undefined ? null : Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds)
}

/** `$5`, `$0.20` and `$0.002`, as the language of the page writes it. */
export function formatUsd(usd: number): string {
  // Below a cent, tenths of one.
  const digits = { maximumFractionDigits: usd < 0.01 ? 3 : 2, trailingZeroDisplay: 'stripIfInteger' } as const
  return usd.toLocaleString(m.language_tag(), { style: 'currency', currency: 'USD', ...digits })
}

/** `1,234.5`: one decimal. */
export function formatDecimal(value: number): string {
  return value.toLocaleString(m.language_tag(), { minimumFractionDigits: 1, maximumFractionDigits: 1 })
}

/** `12,400` */
export function formatCount(count: number): string {
  return count.toLocaleString(m.language_tag())
}

/** `Nov 21, 2026` in the reader's time zone; `Unknown date` for what is not a date. */
export function formatDate(iso: string | null | undefined): string {
  const date = new Date(iso ?? Number.NaN)
  if (Number.isNaN(date.getTime())) return m.unknown_date()
  if (m.language_tag() !== 'en') return date.toLocaleDateString(m.language_tag(), { dateStyle: 'medium' })
  // A slow phone takes 90 ms to make its first `Intl.DateTimeFormat`, and the list of modules waits for that. The
  // language itself says `Sat Nov 21 2026` (ECMA-262, Date.prototype.toDateString).
  const [, month, day, year] = date.toDateString().split(' ')
  return `${month} ${Number(day)}, ${year}`
}
