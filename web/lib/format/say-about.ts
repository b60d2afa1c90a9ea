import * as m from '#messages'

/** Says a length of time as roughly as it is known. */
export function sayAbout(seconds: number): string {
  if (seconds <= 50) return m.about_seconds({ count: Math.max(10, Math.ceil(seconds / 10) * 10) })
  const minutes = Math.ceil(seconds / 60)
  if (minutes < 90) return m.about_minutes({ count: minutes })
  return m.about_hours({ count: Math.round(minutes / 60) })
}
