import { useEffect, useRef } from 'react'

/**
 * Something that goes from a list takes the focus of its button along; then the list's heading gets it.
 * @param count how many there are
 * @returns for the heading, which needs a `tabIndex` of -1
 */
export function useFocusWhenFewer(count: number) {
  const heading = useRef<HTMLHeadingElement>(null)
  const shown = useRef(count)
  useEffect(() => {
    if (count < shown.current && document.activeElement === document.body) heading.current?.focus()
    shown.current = count
  }, [count])
  return heading
}
