/** @see specification §4 */
export type ConnectionSpeed = 'testing' | 'fast' | 'medium' | 'slow' | 'offline'

/** Round trips below this. @see specification §9 */
const FAST_BELOW_MS = 200
const MEDIUM_BELOW_MS = 800

export function judgeRoundTrip(roundTripMs: number): 'fast' | 'medium' | 'slow' {
  if (roundTripMs < FAST_BELOW_MS) return 'fast'
  return roundTripMs < MEDIUM_BELOW_MS ? 'medium' : 'slow'
}

/** What the speed means for videos, in the specification's words. */
export const SPEED_MESSAGES: Record<ConnectionSpeed, string> = {
  fast: 'Excellent connection - upload large videos freely',
  medium: 'Good connection - videos up to 50MB recommended',
  slow: 'Slow connection - consider compressing videos first',
  offline: 'No internet connection',
  testing: 'Testing connection speed...',
}

const MINUTE_MS = 60_000
const HOUR_MIN = 60

/** `Never`, `Just now`, `5m ago`, `2h ago`. */
export function formatLastTested(testedAtMs: number | null, nowMs: number): string {
  if (testedAtMs === null) return 'Never'
  const minutes = Math.floor((nowMs - testedAtMs) / MINUTE_MS)
  if (minutes < 1) return 'Just now'
  return minutes < HOUR_MIN ? `${minutes}m ago` : `${Math.floor(minutes / HOUR_MIN)}h ago`
}
