import * as m from '#messages'

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

/** Date and time in the reader's zone. */
export function formatMoment(iso: string): string {
  return new Date(iso).toLocaleString(m.language_tag(), { dateStyle: 'medium', timeStyle: 'short' })
}
