import { useEffect, useRef } from 'react'

/**
 * Gives the focus to an element that may only be there after the next draw: what had it has been moved, replaced or
 * removed.
 */
export function useFocusRequest(): (elementId: string) => void {
  const wanted = useRef<string | null>(null)
  useEffect(() => {
    const element = wanted.current === null ? null : document.getElementById(wanted.current)
    if (element === null) return
    wanted.current = null
    element.focus()
  })
  return (elementId) => {
    wanted.current = elementId
  }
}

export function editButtonId(stepId: string): string {
  return `edit-${stepId}`
}
