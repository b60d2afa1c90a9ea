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
