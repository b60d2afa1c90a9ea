import { type RefObject, useEffect, useState } from 'react'

/**
 * Keeps the current line in the middle of its box, until the reader scrolls in it.
 * @param boxRef what scrolls
 * @param lineId of the current line; null for none
 */
export function useFollow(boxRef: RefObject<HTMLElement | null>, lineId: string | null) {
  const [isFollowing, setIsFollowing] = useState(true)
  useEffect(() => {
    if (isFollowing && lineId !== null) showLine(boxRef.current, lineId)
  }, [boxRef, isFollowing, lineId])

  useEffect(() => {
    const box = boxRef.current
    if (box === null) return
    const over = new AbortController()
    const options = { signal: over.signal, passive: true }
    function leave() {
      setIsFollowing(false)
    }
    for (const type of ['wheel', 'touchmove']) box.addEventListener(type, leave, options)
    // The bar at its side is no part of any line.
    box.addEventListener('pointerdown', ({ target }) => target === box && leave(), options)
    return () => over.abort()
  }, [boxRef])
  return { isFollowing, setIsFollowing }
}

/** Brings a line into the middle of its box, and moves nothing else on the page. */
export function showLine(box: HTMLElement | null, lineId: string): void {
  const line = box?.querySelector<HTMLElement>(`[data-line="${CSS.escape(lineId)}"]`)
  if (box === null || line === null || line === undefined) return
  const fromTopPx = line.getBoundingClientRect().top - box.getBoundingClientRect().top
  const isCalm = matchMedia('(prefers-reduced-motion: reduce)').matches
  box.scrollTo({
    top: box.scrollTop + fromTopPx - (box.clientHeight - line.offsetHeight) / 2,
    behavior: isCalm ? 'instant' : 'smooth',
  })
}
