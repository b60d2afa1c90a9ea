/** Long enough for the page to be drawn; Safari has no `requestIdleCallback`. */
const SOON_MS = 200
/** A page that is never idle loads its player after this time. */
const IDLE_WITHIN_MS = 2_000

/**
 * Calls back once the page is loaded and idle; never where the browser saves data, so that loading needs a click.
 * @returns a function that calls it off
 */
export function whenIdle(callback: () => void): () => void {
  const { connection } = navigator as { connection?: { saveData?: boolean } }
  if (connection?.saveData === true) return () => {}
  const over = new AbortController()
  const { signal } = over
  function wait() {
    if (typeof requestIdleCallback === 'undefined') {
      const timer = setTimeout(callback, SOON_MS)
      signal.addEventListener('abort', () => clearTimeout(timer))
    } else {
      const request = requestIdleCallback(callback, { timeout: IDLE_WITHIN_MS })
      signal.addEventListener('abort', () => cancelIdleCallback(request))
    }
  }
  if (document.readyState === 'complete') wait()
  else window.addEventListener('load', wait, { once: true, signal })
  return () => over.abort()
}
