import * as m from '#messages'
import { formatDecimal } from './format-number.ts'

const SECOND_MS = 1_000

/** `850 ms`, `12.5 s`, `3 min 5 s`, `2 h 10 min`. */
export function formatDuration(ms: number): string {
  if (ms < SECOND_MS) return m.ms_ms({ ms })
  // Rounded before it is divided, or the rest could be rounded up to a whole of the next unit.
  const tenths = Math.round(ms / 100)
  if (tenths < 600) return `${formatDecimal(tenths / 10)} s`
  const seconds = Math.round(ms / SECOND_MS)
  if (seconds < 3_600) return m.floor_min_seconds_s({ floor: Math.floor(seconds / 60), seconds: seconds % 60 })
  const minutes = Math.round(seconds / 60)
  return m.floor_h_minutes_min({ floor: Math.floor(minutes / 60), minutes: minutes % 60 })
}
