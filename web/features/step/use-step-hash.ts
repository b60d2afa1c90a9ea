import { useEffect, useRef } from 'react'

const STEP_HASH = /^#step-\d+$/

/**
 * Brings the step that the address names (`#step-3`) into view and gives it the focus, once the steps are there. Steps
 * that come while somebody is already busy on the page do not take them away from what they do.
 * @param hash of the address, as whoever watches it has it
 */
export function useStepHash(hasSteps: boolean, hash: string): void {
  const asked = useRef<string | null>(null)
  useEffect(() => {
    const isAskedNow = asked.current !== hash
    asked.current = hash
    if (!hasSteps || !STEP_HASH.test(hash)) return
    if (!isAskedNow && isBusy()) return
    const card = document.getElementById(hash.slice(1))
    card?.scrollIntoView({ block: 'start' })
    card?.querySelector('button')?.focus({ preventScroll: true })
  }, [hasSteps, hash])
}

/** A page that was just opened stands at its top, with the focus on itself. */
function isBusy(): boolean {
  return window.scrollY > 0 || document.activeElement?.matches('body, main') === false
}
