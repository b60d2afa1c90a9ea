import { useEffect, useState } from 'react'

/** @see specification §9, loading-slow */
const SLOW_AFTER_MS = 3_000

/** True once something has been loading for three seconds: time to say that it still is. */
export function useSlowLoading(isLoading: boolean): boolean {
  const [isSlow, setIsSlow] = useState(false)
  useEffect(() => {
    if (!isLoading) return
    const timer = setTimeout(() => setIsSlow(true), SLOW_AFTER_MS)
    return () => {
      clearTimeout(timer)
      setIsSlow(false)
    }
  }, [isLoading])
  return isSlow
}
