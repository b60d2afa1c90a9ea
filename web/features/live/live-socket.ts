import ReconnectingSocket from 'partysocket/ws'
import { useEffect, useEffectEvent } from 'react'
import { ROOM_FULL_CODE } from '#contract/limits.ts'
import { LiveEvent, LiveTicketAnswer } from '#contract/live.ts'
import { type CallApi, useApi } from '#web/lib/api.ts'
import { makeLiveUrl } from './live-url.ts'

/** Reconnecting starts fast for a dropped phone connection and never waits longer than one status poll. */
const MIN_BACKOFF_MS = 500
const MAX_BACKOFF_MS = 5_000
const BACKOFF_GROWTH = 1.8
/** Proxies close sockets that are idle for a minute; two pings fit in. */
const PING_MS = 25_000
const PONG_TIMEOUT_MS = 10_000
/** A replayed log arrives as a burst of old states; only the newest of a burst is shown. */
const BURST_MS = 60

export interface LiveSocketOptions {
  moduleId: string
  /** A fresh ticket for each connection: they live shorter than a page. */
  loadTicket: () => Promise<string>
  onEvent: (event: LiveEvent) => void
  /** The browser's `WebSocket`, or a stand-in for tests. */
  Socket?: typeof WebSocket | undefined
}

export interface LiveSocket {
  close(): void
}

function jitter(ms: number): number {
  return ms * (0.7 + Math.random() * 0.3)
}

/** The library reads its options before every attempt, so getters spread the reconnects of many browsers. */
function makeSocketOptions(Socket: typeof WebSocket | undefined) {
  return {
    WebSocket: Socket,
    reconnectionDelayGrowFactor: BACKOFF_GROWTH,
    get minReconnectionDelay() {
      return jitter(MIN_BACKOFF_MS)
    },
    get maxReconnectionDelay() {
      return jitter(MAX_BACKOFF_MS)
    },
  }
}

/** Null for `pong` and for unknown messages of a newer server, which must not end the connection. */
function parseEvent(data: unknown): LiveEvent | null {
  if (typeof data !== 'string' || !data.startsWith('{')) return null
  try {
    return LiveEvent.safeParse(JSON.parse(data)).data ?? null
  } catch {
    return null
  }
}

function keepAlive(socket: ReconnectingSocket): () => void {
  let pongTimer: ReturnType<typeof setTimeout> | undefined
  const pingTimer = setInterval(() => {
    if (socket.readyState !== socket.OPEN) return
    socket.send('ping')
    clearTimeout(pongTimer)
    pongTimer = setTimeout(() => socket.reconnect(), PONG_TIMEOUT_MS)
  }, PING_MS)
  const stopPongTimer = () => clearTimeout(pongTimer)
  socket.addEventListener('message', stopPongTimer)
  socket.addEventListener('close', stopPongTimer)
  return () => {
    clearInterval(pingTimer)
    stopPongTimer()
  }
}

/** Opens a module's socket and keeps it open until closed; the cursor is kept over reconnects. */
export function openLiveSocket({ moduleId, loadTicket, onEvent, Socket }: LiveSocketOptions): LiveSocket {
  let cursor = 0
  let newest: LiveEvent | null = null
  let burstTimer: ReturnType<typeof setTimeout> | undefined
  const loadUrl = async () => makeLiveUrl(moduleId, await loadTicket(), cursor)
  const socket = new ReconnectingSocket(loadUrl, undefined, makeSocketOptions(Socket))
  const flush = () => {
    burstTimer = undefined
    if (newest !== null) onEvent(newest)
  }
  socket.addEventListener('message', ({ data }) => {
    const event = parseEvent(data)
    if (event === null || event.seq <= cursor) return
    cursor = event.seq
    newest = event
    burstTimer ??= setTimeout(flush, BURST_MS)
  })
  // Pages poll as well, and a room that is full stays so for a while.
  socket.addEventListener('close', ({ code }) => {
    if (code === ROOM_FULL_CODE) socket.close()
  })
  const stopKeepAlive = keepAlive(socket)
  return {
    close() {
      clearTimeout(burstTimer)
      stopKeepAlive()
      socket.close()
    },
  }
}

/** A ticket that opens a module's socket for a signed-in person. */
async function loadTicket(callApi: CallApi, moduleId: string): Promise<string> {
  const path = `/api/modules/${encodeURIComponent(moduleId)}/live-ticket`
  return (await callApi({ path, method: 'POST', schema: LiveTicketAnswer })).ticket
}

export interface LiveModuleOptions {
  moduleId: string
  /** False until the module is known to exist, so that a wrong link never asks for tickets. */
  enabled: boolean
  onEvent: (event: LiveEvent) => void
}

/** Calls back whenever the module moves on. Pages poll as well, so nothing depends on the socket working. */
export function useLiveModule({ moduleId, enabled, onEvent }: LiveModuleOptions): void {
  const callApi = useApi()
  const handleEvent = useEffectEvent(onEvent)
  const handleTicket = useEffectEvent(() => loadTicket(callApi, moduleId))
  useEffect(() => {
    if (!enabled || typeof WebSocket === 'undefined') return
    const socket = openLiveSocket({
      moduleId,
      loadTicket: () => handleTicket(),
      onEvent: (event) => handleEvent(event),
    })
    return () => socket.close()
  }, [moduleId, enabled])
}
