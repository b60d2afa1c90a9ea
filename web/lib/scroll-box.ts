/** Finds the part of the page that scrolls an element; null where the page itself does. */
export function findScrollBox(element: Element): HTMLElement | null {
  const box = element.closest<HTMLElement>('[data-scroll-box]')
  // On a narrow screen the box is as high as its content and does not scroll.
  return box !== null && /auto|scroll/.test(getComputedStyle(box).overflowY) ? box : null
}

/** Brings an element into the middle of its box, or at once to its top, and moves nothing else on the page. */
export function showInBox(box: HTMLElement, element: HTMLElement, alignment: 'middle' | 'start' = 'middle'): void {
  const fromTopPx = element.getBoundingClientRect().top - box.getBoundingClientRect().top
  const roomPx = alignment === 'start' ? 0 : (box.clientHeight - element.offsetHeight) / 2
  const isCalm = matchMedia('(prefers-reduced-motion: reduce)').matches
  box.scrollTo({
    top: box.scrollTop + fromTopPx - roomPx,
    behavior: isCalm || alignment === 'start' ? 'instant' : 'smooth',
  })
}

/** Brings an element to the top of what scrolls it: its box, or the page. */
export function showAtTop(element: Element): void {
  const box = findScrollBox(element)
  if (box === null || !(element instanceof HTMLElement)) element.scrollIntoView({ block: 'start' })
  else showInBox(box, element, 'start')
}
