import { useEffect, useEffectEvent, useRef } from 'react'
import { listen } from '#web/lib/browser-state.ts'

const STEP_HASH = /^#step-(\d+)$/

/**
 * Brings the step that the address names (`#step-3`) into view once the steps are there, and gives it the focus or what
 * the page does instead. Steps that come while the viewer is already active on the page do not interrupt them.
 * @param hash of the address, as the caller observes it
 * @param show scrolls to the step, where the page itself is not what scrolls
 * @param onArrive called with the index of the step
 */
export function useStepHash(
  hasSteps: boolean,
  hash: string,
  {
    show = scrollTo,
    onArrive = focusStep,
  }: { show?: (step: Element) => void; onArrive?: (index: number) => void } = {},
): void {
  const lastHash = useRef<string | null>(null)
  const hasActed = useRef(false)
  const arrive = useEffectEvent((step: Element | null, index: number) => {
    if (step !== null) show(step)
    onArrive(index)
  })
  useEffect(() => {
    const isAskedNow = lastHash.current !== hash
    lastHash.current = hash
    const number = STEP_HASH.exec(hash)?.[1]
    if (!hasSteps || number === undefined) return
    if (!isAskedNow && (hasActed.current || isFocusTaken())) return
    arrive(document.getElementById(`step-${number}`), Number(number) - 1)
  }, [hasSteps, hash])
  useEffect(() => {
    hasActed.current = false
    const act = () => void (hasActed.current = true)
    // Not `scroll`: a browser scrolls to an address's place by itself, as soon as it is there.
    return listen(window, { pointerdown: act, keydown: act, wheel: act, touchmove: act }, { passive: true })
  }, [hash])
}

function scrollTo(step: Element): void {
  step.scrollIntoView({ block: 'start' })
}

function focusStep(index: number): void {
  document
    .getElementById(`step-${index + 1}`)
    ?.querySelector('button')
    ?.focus({ preventScroll: true })
}

/** A page that was just opened has the focus on itself. */
function isFocusTaken(): boolean {
  return document.activeElement?.matches('body, main') === false
}
