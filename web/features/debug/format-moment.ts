const MOMENT_FORMAT = new Intl.DateTimeFormat('en', { dateStyle: 'short', timeStyle: 'medium' })
const SECOND_MS = 1_000

/** `11/21/26, 10:04:05 PM` in the reader's time zone. */
export function formatMoment(iso: string): string {
  return MOMENT_FORMAT.format(new Date(iso))
}

/** From one moment to another: `850 ms`, `12.5 s`, `3 min 5 s`, `2 h 10 min`. */
export function formatSpan(fromIso: string, toIso: string): string {
  const ms = Math.max(0, Date.parse(toIso) - Date.parse(fromIso))
  if (ms < SECOND_MS) return `${ms} ms`
  const seconds = ms / SECOND_MS
  if (seconds < 60) return `${seconds.toFixed(1)} s`
  const minutes = Math.floor(seconds / 60)
  if (minutes < 60) return `${minutes} min ${Math.round(seconds % 60)} s`
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`
}
