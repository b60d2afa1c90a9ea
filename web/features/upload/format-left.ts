const MINUTE_MS = 60_000
const HOUR_MIN = 60

/** `about 40 s left`. Rounded up and coarse, so that the number does not jump and is not too good to be true. */
export function formatLeft(leftMs: number): string {
  if (leftMs < 10_000) return 'a few seconds left'
  if (leftMs < MINUTE_MS) return `about ${Math.ceil(leftMs / 10_000) * 10} s left`
  const minutes = Math.ceil(leftMs / MINUTE_MS)
  if (minutes < HOUR_MIN) return `about ${minutes} min left`
  const hours = Math.floor(minutes / HOUR_MIN)
  const rest = minutes % HOUR_MIN
  return rest === 0 ? `about ${hours} h left` : `about ${hours} h ${rest} min left`
}
