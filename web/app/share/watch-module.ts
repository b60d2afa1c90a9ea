import { ROOM_DONE_CODE, ROOM_FULL_CODE } from '#contract/limits.ts'
import type { LiveEvent } from '#contract/live.ts'
import { makeLiveUrl } from '#web/features/live/live-url.ts'
import { loadPublicTicket, readPublicEvent } from './load-share.ts'

/** Never longer than the page's own interval between polls. */
const MAX_PAUSE_MS = 5_000
const FIRST_PAUSE_MS = 500
/** A replayed log arrives as a burst of old states; only the newest of a burst is shown. */
const BURST_MS = 60

/**
 * Listens to a module's socket until it is stopped. Smaller than the app's own: a line that died in silence is not
 * detected, since the page asks every few seconds as well.
 */
export function watchModule(moduleId: string, onEvent: (event: LiveEvent) => void): () => void {
  const over = new AbortController()
  let cursor = 0
  let newest: LiveEvent | null = null
  let pauseMs = FIRST_PAUSE_MS

  async function connect() {
    const ticket = await loadPublicTicket(moduleId)
    if (ticket === null || over.signal.aborted) return
    const socket = new WebSocket(makeLiveUrl(moduleId, ticket, cursor))
    over.signal.addEventListener('abort', () => socket.close(), { once: true })
    socket.addEventListener('message', ({ data }) => receive(readPublicEvent(data)))
    socket.addEventListener('close', ({ code }) => {
      if (code !== ROOM_FULL_CODE && code !== ROOM_DONE_CODE) comeBack()
    })
  }

  function comeBack() {
    if (over.signal.aborted) return
    // Not all of those whom a restart cut off at the same moment.
    setTimeout(begin, pauseMs * (0.7 + Math.random() * 0.3))
    pauseMs = Math.min(MAX_PAUSE_MS, pauseMs * 2)
  }

  function begin() {
    if (!over.signal.aborted) connect().catch(comeBack)
  }

  function receive(event: LiveEvent | null) {
    if (event === null || event.seq <= cursor) return
    cursor = event.seq
    pauseMs = FIRST_PAUSE_MS
    if (newest === null) setTimeout(publishNewest, BURST_MS)
    newest = event
  }

  function publishNewest() {
    if (newest !== null && !over.signal.aborted) onEvent(newest)
    newest = null
  }

  begin()
  return () => over.abort()
}
