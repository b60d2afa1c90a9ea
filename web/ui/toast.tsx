import { useEffect } from 'react'
import { Toaster as Sonner, useSonner } from 'sonner'
import { useMediaQuery } from '#web/lib/browser-state.ts'
import { useTheme } from './theme-select.tsx'

/**
 * How long a message offers to undo its change: long enough to read the sentence and reach its button by
 * keyboard; it stays while it is pointed at.
 */
export const UNDO_MS = 10_000
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
const IN_THE_CORNER = { position: 'bottom-right' } as const
const BELOW_THE_BAR = { position: 'top-center', offset: { top: '4.5rem' }, mobileOffset: { top: '4.5rem' } } as const

/** Where the messages of `toast(…)` from sonner appear. One per page tree. */
export function Toaster() {
  useToastRoles()
  // Beside a phone's keyboard the lower end of the window is where its fields are.
  const place = useMediaQuery(NARROW) ? BELOW_THE_BAR : IN_THE_CORNER
  return <Sonner {...place} theme={useTheme()} toastOptions={{ classNames: STYLE }} />
}

/** Failures interrupt a screen reader, other messages wait for a pause. The library announces both alike. */
function useToastRoles() {
  const { toasts } = useSonner()
  useEffect(() => {
    // The library draws its list in its own time.
    const timer = setTimeout(() => {
      for (const toast of document.querySelectorAll('[data-sonner-toast]')) {
        const role = toast.getAttribute('data-type') === 'error' ? 'alert' : 'status'
        toast.querySelector('[data-content]')?.setAttribute('role', role)
      }
    })
    return () => clearTimeout(timer)
  }, [toasts])
}
