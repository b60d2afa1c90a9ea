import { useEffect, useState } from 'react'
import { judgePace, type Pace } from './processing-stage.ts'

const TICK_MS = 1_000

/** How long somebody has been looking at a module in processing, as a judgement; counted anew when it starts again. */
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
