import { useEffect } from 'react'
import { useLocation } from 'react-router-dom'

const STEP_HASH = /^#step-\d+$/

/** Brings the step that the address names (`#step-3`) into view and gives it the focus, once the steps are there. */
export function useStepHash(hasSteps: boolean): void {
  const { hash } = useLocation()
  useEffect(() => {
    if (!hasSteps || !STEP_HASH.test(hash)) return
    const card = document.getElementById(hash.slice(1))
    card?.scrollIntoView({ block: 'start' })
    card?.querySelector('button')?.focus({ preventScroll: true })
  }, [hasSteps, hash])
}
