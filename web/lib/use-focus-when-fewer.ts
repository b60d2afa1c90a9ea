import { useEffect, useRef } from 'react'

/**
 * Something that goes from a list takes the focus of its button along; then the list's heading gets it.
 * @param count how many there are
 * @returns for the heading (or what else stays), which needs a `tabIndex` of -1
 */
export function useFocusWhenFewer<Stays extends HTMLElement = HTMLHeadingElement>(
  count: number,
  { preventScroll = false }: FocusOptions = {},
) {
  const stays = useRef<Stays>(null)
  const lastCount = useRef(count)
  useEffect(() => {
    if (count < lastCount.current && document.activeElement === document.body) stays.current?.focus({ preventScroll })
    lastCount.current = count
  }, [count, preventScroll])
  return stays
}
