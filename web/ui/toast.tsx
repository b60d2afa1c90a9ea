import { useEffect, useState } from 'react'
import { Toaster as Sonner, toast, useSonner } from 'sonner'
import * as m from '#messages'
import { listen, useMediaQuery } from '#web/lib/browser-state.ts'
import { useTheme } from './theme-select.tsx'

/**
 * How long a message offers to undo its change: long enough to read the sentence and reach its button by
 * keyboard; it stays while it is pointed at.
 */
const UNDO_MS = 10_000
/** How an upload or a module ended is read by people who come back from another window a little later. */
export const OUTCOME_MS = 15_000

const STYLE = {
  toast: 'rounded-card! border! border-line! bg-raised! text-ink! shadow-float! font-sans! text-sm!',
  description: 'text-ink-soft!',
  actionButton: 'h-8! rounded-control! bg-brand! px-3! font-sans! text-on-brand!',
  error: '[&_[data-icon]]:text-danger!',
  success: '[&_[data-icon]]:text-brand!',
}

const NARROW = '(max-width: 40rem)'
/** Below the bar of a page, in the font's size. */
const BAR_REM = 4.5
/** The library's own distance from the corner of the window. */
const CORNER_PX = 24
/** Between a message and the field beside it. */
const GAP_PX = 8
/** How far each of the two messages behind the newest looks out, as the library draws them. */
const STACK_PX = 14

/** Shows what has been done, with a button that undoes it. @returns the id of the message */
export function showUndo(done: string, undo: () => void): number | string {
  return toast.success(done, { duration: UNDO_MS, action: { label: m.undo_action(), onClick: undo } })
}

/** Where the messages of `toast(…)` from sonner appear. One per page tree. */
export function Toaster() {
  useToastRoles()
  // Beside a phone's keyboard the lower end of the window is where its fields are.
  const isNarrow = useMediaQuery(NARROW)
  const freePx = useFreePlace(isNarrow)
  const top = freePx ?? `${BAR_REM}rem`
  const place = isNarrow
    ? ({ position: 'top-center', offset: { top }, mobileOffset: { top } } as const)
    : ({ position: 'bottom-right', offset: { bottom: freePx ?? CORNER_PX } } as const)
  return <Sonner {...place} theme={useTheme()} toastOptions={{ classNames: STYLE }} />
}

/** Everything that a person types in. */
const FIELDS = 'textarea, [contenteditable=true], input:not([type=checkbox], [type=radio], [type=range], [type=file])'

/**
 * Keeps messages off the field that a person types in, also while a keyboard covers a part of the window.
 * @returns how far from the top of the window, or from its lower end where it is wide; null for the usual place
 */
function useFreePlace(isNarrow: boolean): number | null {
  const { toasts } = useSonner()
  const [freePx, setFreePx] = useState<number | null>(null)
  useEffect(() => {
    if (toasts.length === 0) return
    let place: number | null = null
    function update() {
      place = measureFreePlace(isNarrow, place)
      setFreePx(place)
    }
    const listeners = { focusin: update, focusout: update, scroll: update, resize: update }
    const over = [window, window.visualViewport].map((target) => target && listen(target, listeners, { capture: true }))
    // The library draws its list in its own time.
    const timer = setTimeout(update)
    return () => {
      clearTimeout(timer)
      for (const end of over) end?.()
    }
  }, [toasts, isNarrow])
  return freePx
}

/** @param now where the messages are: they move for a field only, and never while one of their buttons is pressed */
function measureFreePlace(isNarrow: boolean, now: number | null): number | null {
  const [message, ...others] = document.querySelectorAll<HTMLElement>('[data-sonner-toast][data-visible=true]')
  const focused = document.activeElement
  if (message === undefined || focused === null || !focused.matches(FIELDS)) return now
  const [{ left, right }, field] = [message.getBoundingClientRect(), focused.getBoundingClientRect()]
  if (field.right <= left || field.left >= right) return now
  const { offsetTop, height: viewHeight } = window.visualViewport ?? { offsetTop: 0, height: window.innerHeight }
  const view = { top: offsetTop, bottom: offsetTop + viewHeight }
  const height = message.offsetHeight + others.length * STACK_PX
  const barPx = BAR_REM * Number.parseFloat(getComputedStyle(document.documentElement).fontSize)
  const first = isNarrow ? Math.max(barPx, view.top + GAP_PX) : view.bottom - CORNER_PX - height
  const current = isNarrow || now === null ? now : window.innerHeight - now - height
  const top = findFreeTop({ usual: current ?? first, height }, field, view)
  return isNarrow ? top : window.innerHeight - top - height
}

interface Span {
  top: number
  bottom: number
}

/** Finds where a message covers nothing of a field: in its usual place, else under the field, else above it. */
export function findFreeTop({ usual, height }: { usual: number; height: number }, field: Span, view: Span): number {
  const isFree = (top: number) => top + height <= field.top - GAP_PX || top >= field.bottom + GAP_PX
  const isSeen = (top: number) => top >= view.top && top + height <= view.bottom
  const places = [usual, field.bottom + GAP_PX, field.top - GAP_PX - height]
  return places.find((top) => isFree(top) && isSeen(top)) ?? usual
}

/** Failures interrupt a screen reader, other messages wait for a pause. The library announces both alike. */
function useToastRoles() {
  const { toasts } = useSonner()
  useEffect(() => {
    // The library draws its list in its own time.
    const timer = setTimeout(() => {
      for (const message of document.querySelectorAll('[data-sonner-toast]')) {
        const role = message.getAttribute('data-type') === 'error' ? 'alert' : 'status'
        message.querySelector('[data-content]')?.setAttribute('role', role)
      }
    })
    return () => clearTimeout(timer)
  }, [toasts])
}
