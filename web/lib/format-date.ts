const DATE_FORMAT = new Intl.DateTimeFormat('en', { dateStyle: 'medium' })

/** `Nov 21, 2026` in the reader's time zone; `Unknown date` for what is not a date. */
export function formatDate(iso: string | null | undefined): string {
  const date = new Date(iso ?? Number.NaN)
  return Number.isNaN(date.getTime()) ? 'Unknown date' : DATE_FORMAT.format(date)
}
