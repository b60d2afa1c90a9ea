import { useRef } from 'react'

/**
 * Gives the focus back to what opened a dialog. Radix does so only for its own trigger, and ours are opened by state.
 */
export function useReturnFocus() {
  const opener = useRef<Element | null>(null)
  return {
    // Runs before the focus moves in.
    onOpenAutoFocus: () => {
      opener.current = document.activeElement
    },
    onCloseAutoFocus: (event: Event) => {
      event.preventDefault()
      if (opener.current instanceof HTMLElement) opener.current.focus()
    },
  }
}
