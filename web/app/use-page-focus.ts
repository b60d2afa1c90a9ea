import { type RefObject, useEffect, useRef } from 'react'
import { useNavigationType } from 'react-router-dom'

/** A page whose heading is not there by then has failed, and says so itself. */
const HEADING_WITHIN_MS = 10_000

/**
 * Moves the focus to the heading of a page that has been opened, as a browser does for a document, so that it is read
 * aloud and the keyboard continues from there. Steps within a page (the two screens of sign-in) keep theirs.
 */
export function usePageFocus(pathname: string): RefObject<HTMLElement | null> {
  const main = useRef<HTMLElement>(null)
  const page = pathname.split('/')[1]
  // The layout also mounts again during a visit, when Clerk is loaded; only a page load comes without a push.
  const isPageLoad = useNavigationType() === 'POP'
  const shown = useRef(isPageLoad ? page : null)
  useEffect(() => {
    if (shown.current === page || main.current === null) return
    shown.current = page
    return followHeading(main.current)
  }, [page])
  return main
}

/** Code or data may still be loading, so the focus waits on the page and moves on unless the person moves it. */
function followHeading(root: HTMLElement): () => void {
  let held = root
  const observer = new MutationObserver(follow)
  const timer = setTimeout(stop, HEADING_WITHIN_MS)

  function hold(element: HTMLElement) {
    held = element
    element.focus({ preventScroll: true })
  }

  function follow() {
    const heading = root.querySelector('h1')
    if (heading === null || heading === held) return
    heading.tabIndex = -1
    hold(heading)
  }

  function onFocusIn({ target }: FocusEvent) {
    if (target !== held) stop()
  }

  function stop() {
    clearTimeout(timer)
    document.removeEventListener('focusin', onFocusIn)
    observer.disconnect()
  }

  document.addEventListener('focusin', onFocusIn)
  hold(root)
  observer.observe(root, { childList: true, subtree: true })
  follow()
  return stop
}
