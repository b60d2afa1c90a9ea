import { useEffect, useRef, useState } from 'react'

/** Long enough for a screen reader to finish its sentence and for the listener to turn to something else. */
const SAY_EVERY_MS = 8_000

/**
 * What to say to people who do not see the list grow: one sentence for all that came, now and then.
 * @param growingCount steps so far; null when the list does not grow
 */
export function useStepSummary(growingCount: number | null): string {
  const [summary, setSummary] = useState('')
  const saidAtMs = useRef(Number.NEGATIVE_INFINITY)
  useEffect(() => {
    if (growingCount === null || growingCount === 0) return
    const say = () => {
      saidAtMs.current = Date.now()
      setSummary(`${growingCount} ${growingCount === 1 ? 'step' : 'steps'} so far`)
    }
    const timer = setTimeout(say, Math.max(0, saidAtMs.current + SAY_EVERY_MS - Date.now()))
    return () => clearTimeout(timer)
  }, [growingCount])
  return growingCount === null ? '' : summary
}
