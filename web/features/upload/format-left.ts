import * as m from '#messages'

const MINUTE_MS = 60_000
const HOUR_MIN = 60

/** `about 40 s left`. Rounded up and coarse, so that the number does not jump and is not too good to be true. */
export function formatLeft(leftMs: number): string {
  if (leftMs < 10_000) return m.few_seconds_left()
  if (leftMs < MINUTE_MS) return m.about_seconds_left({ seconds: Math.ceil(leftMs / 10_000) * 10 })
  const minutes = Math.ceil(leftMs / MINUTE_MS)
  if (minutes < HOUR_MIN) return m.about_minutes_left({ minutes })
  const hours = Math.floor(minutes / HOUR_MIN)
  const rest = minutes % HOUR_MIN
  return rest === 0 ? m.about_hours_left({ hours }) : m.about_hours_minutes_left({ hours, minutes: rest })
}
