/** Names fixed by the specification, §3. */
const SPEED_KEY = 'adapt_connection_speed'
const TESTED_AT_KEY = 'adapt_speed_test_timestamp'
/** Specification §9. */
const REUSED_FOR_MS = 5 * 60_000

export interface MeasuredSpeed {
  speed: 'fast' | 'medium' | 'slow'
  testedAtMs: number
}

/** @returns null when nothing was measured in the last five minutes. */
export function readSpeed(nowMs: number): MeasuredSpeed | null {
  try {
    const speed = localStorage.getItem(SPEED_KEY)
    const testedAtMs = Number(localStorage.getItem(TESTED_AT_KEY) ?? Number.NaN)
    const ageMs = nowMs - testedAtMs
    if (!isMeasured(speed) || !(ageMs >= 0 && ageMs < REUSED_FOR_MS)) return null
    return { speed, testedAtMs }
  } catch {
    // A browser that forbids storage only measures more often.
    return null
  }
}

export function keepSpeed({ speed, testedAtMs }: MeasuredSpeed): void {
  try {
    localStorage.setItem(SPEED_KEY, speed)
    localStorage.setItem(TESTED_AT_KEY, String(testedAtMs))
  } catch (error) {
    console.warn('The connection speed cannot be kept', error)
  }
}

function isMeasured(speed: string | null): speed is MeasuredSpeed['speed'] {
  return speed === 'fast' || speed === 'medium' || speed === 'slow'
}
