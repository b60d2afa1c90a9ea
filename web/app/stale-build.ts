const RELOADED_AT_KEY = 'adapt_reloaded_at'
/** A second failure within this time is not cured by one more reload. */
const RELOAD_PAUSE_MS = 60_000

/**
 * After a deploy an open tab asks for chunks that are gone. Loading the page again fetches the new build; once, so
 * that a chunk that is really broken ends on the router's error page instead of in a loop. Offline, loading again
 * would lose the page to the browser's own error page, so it waits for the connection.
 */
export function reloadOnStaleBuild(target: Window): void {
  target.addEventListener('vite:preloadError', () => {
    if (!target.navigator.onLine) {
      target.addEventListener('online', () => target.location.reload(), { once: true })
      return
    }
    const reloadedAt = Number(target.sessionStorage.getItem(RELOADED_AT_KEY) ?? 0)
    if (Date.now() - reloadedAt < RELOAD_PAUSE_MS) return
    target.sessionStorage.setItem(RELOADED_AT_KEY, String(Date.now()))
    target.location.reload()
  })
}
