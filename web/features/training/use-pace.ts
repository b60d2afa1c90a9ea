import { useEffect, useState } from 'react'
import { judgePace, type Pace } from './processing-stage.ts'

const TICK_MS = 1_000

/** Judges how long the page has shown a module in processing; starts over with each run. */
export function usePace({ isProcessing }: { isProcessing: boolean }): Pace {
  const [pace, setPace] = useState<Pace>('usual')
  useEffect(() => {
    if (!isProcessing) return
    const startedAt = performance.now()
    const timer = setInterval(() => setPace(judgePace(performance.now() - startedAt)), TICK_MS)
    return () => {
      clearInterval(timer)
      setPace('usual')
    }
  }, [isProcessing])
  return pace
}
