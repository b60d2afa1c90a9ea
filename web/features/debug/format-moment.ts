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
  // Rounded before it is divided, or the rest could be rounded up to a whole of the next unit.
  const tenths = Math.round(ms / 100)
  if (tenths < 600) return `${(tenths / 10).toFixed(1)} s`
  const seconds = Math.round(ms / SECOND_MS)
  if (seconds < 3_600) return `${Math.floor(seconds / 60)} min ${seconds % 60} s`
  const minutes = Math.round(seconds / 60)
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`
}
