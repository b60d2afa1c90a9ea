import { useEffect, useState } from 'react'
import { judgePace, type Pace } from './processing-stage.ts'

const TICK_MS = 1_000

/** How long somebody has been looking at the processing screen, as a judgement. */
export function usePace(): Pace {
  const [pace, setPace] = useState<Pace>('usual')
  useEffect(() => {
    const startedAt = performance.now()
    const timer = setInterval(() => setPace(judgePace(performance.now() - startedAt)), TICK_MS)
    return () => clearInterval(timer)
  }, [])
  return pace
}
