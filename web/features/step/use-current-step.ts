import { useEffect, useMemo, useRef, useState } from 'react'
import { findCurrentStep } from './current-step.ts'
import type { ListedStep } from './listed-step.ts'

/** Follows the playback without drawing the page for every tick of the clock: only a change of step does. */
export function useCurrentStep(steps: readonly ListedStep[], startAtS: number) {
  const ordered = useMemo(() => steps.toSorted((a, b) => a.start - b.start), [steps])
  const timeS = useRef(startAtS)
  const [current, setCurrent] = useState<ListedStep | null>(() => findCurrentStep(ordered, startAtS))

  useEffect(() => setCurrent(findCurrentStep(ordered, timeS.current)), [ordered])

  function noteTime(seconds: number) {
    timeS.current = seconds
    setCurrent(findCurrentStep(ordered, seconds))
  }
  return { current, noteTime, getTimeS: () => timeS.current }
}
