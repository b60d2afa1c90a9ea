import { ROOM_DONE_CODE, ROOM_FULL_CODE } from '#contract/limits.ts'
import type { LiveEvent } from '#contract/live.ts'
import { backoffAfter } from '#web/lib/backoff.ts'

/** Reconnecting starts fast for a dropped phone connection and never waits longer than one status poll. */
const BACKOFF = { firstMs: 500, maxMs: 5_000 }
/** Proxies close sockets that are idle for a minute; two pings fit in. */
const PING_MS = 25_000
/** A connection that does not open in this time, or does not answer a ping, is replaced. */
const ANSWER_WITHIN_MS = 10_000
/** A replayed log arrives as a burst of old states; only the newest of a burst is shown. */
const BURST_MS = 60

export interface LiveSocketOptions {
  moduleId: string
  /** A fresh ticket for each connection: they live shorter than a page. Null: no connection is needed any more. */
  loadTicket: () => Promise<string | null>
  /** Null for unknown messages of a newer server, which must not end the connection. */
  readEvent: (json: unknown) => LiveEvent | null
  onEvent: (event: LiveEvent) => void
}

/**
 * Opens a module's socket and keeps it open; the cursor is kept over reconnects. The share page loads this, so it has
 * neither a library nor the contract's schemas.
 * @returns a function that closes it for good
 */
export function openLiveSocket({ moduleId, loadTicket, readEvent, onEvent }: LiveSocketOptions): () => void {
  const over = new AbortController()
  let cursor = 0
  let newest: LiveEvent | null = null
  let failures = 0

  function receive(data: unknown) {
    failures = 0
    const event = parseJson(data, readEvent)
    if (event === null || event.seq <= cursor) return
    cursor = event.seq
    if (newest === null) setTimeout(publishNewest, BURST_MS)
    newest = event
  }

  function publishNewest() {
    if (newest !== null && !over.signal.aborted) onEvent(newest)
    newest = null
  }

  async function connect() {
    const ticket = await loadTicket()
    if (ticket === null || over.signal.aborted) return
    const socket = new WebSocket(makeLiveUrl(moduleId, ticket, cursor))
    holdSocket(socket, over.signal, receive, reconnect)
  }

  function reconnect() {
    if (over.signal.aborted) return
    setTimeout(begin, backoffAfter(failures++, BACKOFF))
  }

  function begin() {
    if (!over.signal.aborted) connect().catch(reconnect)
  }

  begin()
  return () => over.abort()
}

/** Pings one connection, until it is over or lost. Pages poll as well, so a room without a place is not tried again. */
function holdSocket(socket: WebSocket, over: AbortSignal, receive: (data: unknown) => void, onLost: () => void): void {
  const controller = new AbortController()
  const { signal } = controller
  const leave = () => controller.abort()
  const replace = () => {
    leave()
    onLost()
  }
  let silence = setTimeout(replace, ANSWER_WITHIN_MS)
  const pings = setInterval(() => {
    if (socket.readyState !== WebSocket.OPEN) return
    socket.send('ping')
    clearTimeout(silence)
    silence = setTimeout(replace, ANSWER_WITHIN_MS)
  }, PING_MS)
  signal.addEventListener('abort', () => {
    clearInterval(pings)
    clearTimeout(silence)
    socket.close()
  })
  over.addEventListener('abort', leave, { signal })
  socket.addEventListener('open', () => clearTimeout(silence), { signal })
  socket.addEventListener(
    'message',
    ({ data }) => {
      clearTimeout(silence)
      receive(data)
    },
    { signal },
  )
  socket.addEventListener(
    'close',
    ({ code }) => (code === ROOM_FULL_CODE || code === ROOM_DONE_CODE ? leave() : replace()),
    { signal },
  )
}

/** Null for `pong` and for what is no JSON. */
function parseJson(data: unknown, readEvent: LiveSocketOptions['readEvent']): LiveEvent | null {
  if (typeof data !== 'string' || !data.startsWith('{')) return null
  try {
    return readEvent(JSON.parse(data))
  } catch {
    return null
  }
}

export function makeLiveUrl(moduleId: string, ticket: string, cursor: number): string {
  const url = new URL(`/api/modules/${encodeURIComponent(moduleId)}/live`, window.location.origin)
  url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:'
  url.search = new URLSearchParams({ ticket, cursor: String(cursor) }).toString()
  return url.href
}
