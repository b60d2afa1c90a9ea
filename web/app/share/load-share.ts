import { REQUEST_TIMEOUT_MS, ROOM_DONE_CODE, ROOM_FULL_CODE } from '#contract/limits.ts'
import type { LiveEvent, LiveTicketAnswer } from '#contract/live.ts'
import type { ShareAnswer, SharedModule } from '#contract/share.ts'
import { SHARE_DATA_ID, type SharePageData } from '#contract/share-page.ts'
import { makeLiveUrl } from '#web/features/live/live-url.ts'

/**
 * This page trusts its own server's answers after a look at their shape: the contract's schemas would be half of all
 * its code.
 */
export type ShareOutcome = { kind: 'found'; module: SharedModule } | { kind: 'missing' } | { kind: 'failed' }

/** Asks for a module as it is right now. Never throws. */
export async function loadShare(moduleId: string): Promise<ShareOutcome> {
  try {
    const answer = await ask(`/api/share/${encodeURIComponent(moduleId)}`)
    if (answer.status === 404) return { kind: 'missing' }
    const body = answer.ok ? ((await answer.json()) as Partial<ShareAnswer>) : {}
    return Array.isArray(body.module?.steps) ? { kind: 'found', module: body.module } : { kind: 'failed' }
  } catch {
    // No answer, or one that is not JSON: both may pass.
    return { kind: 'failed' }
  }
}

/** Asks for a ticket for the module's socket. Null: the module is not in progress any more, so there is none. */
async function loadPublicTicket(moduleId: string): Promise<string | null> {
  const answer = await ask(`/api/share/${encodeURIComponent(moduleId)}/live-ticket`, 'POST')
  if (answer.status === 404 || answer.status === 409) return null
  if (!answer.ok) throw new Error(`no ticket: ${answer.status}`)
  return ((await answer.json()) as LiveTicketAnswer).ticket
}

/** Null for what is not an event of a module. */
function readPublicEvent(data: unknown): LiveEvent | null {
  if (typeof data !== 'string' || !data.startsWith('{')) return null
  try {
    const event = JSON.parse(data) as Partial<LiveEvent>
    const isEvent = event.kind === 'module' && typeof event.seq === 'number' && typeof event.status === 'string'
    return isEvent ? (event as LiveEvent) : null
  } catch {
    return null
  }
}

function ask(path: string, method = 'GET'): Promise<Response> {
  const headers = { accept: 'application/json' }
  return fetch(path, { method, headers, credentials: 'same-origin', signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS) })
}

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

/** What the page's HTML brought along; null where it is served without, as while developing. */
export function readPageData(target: Document): SharePageData | null {
  const text = target.getElementById(SHARE_DATA_ID)?.textContent ?? ''
  return text === '' ? null : (JSON.parse(text) as SharePageData)
}

/** Of which module the page is, and how it is to look, by its address. */
export function readPageAddress(pathname: string): Pick<SharePageData, 'look'> & { moduleId: string } {
  const [, place, moduleId = ''] = pathname.split('/')
  return { moduleId, look: place === 'embed' ? 'embed' : 'page' }
}
