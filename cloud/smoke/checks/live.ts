import { setTimeout as pause } from 'node:timers/promises'
import { LiveEvent, LiveTicketAnswer } from '#contract/live.ts'
import { type Check, call, expectOk, read, requireUpload, seconds, type Visit } from '../visit.ts'

const SOCKET_WITHIN_MS = 15_000
/** The room replays what it has at once. */
const QUIET_MS = 3_000

/** Opens a module's socket behind an event, with a new ticket. */
async function openSocket(visit: Visit, moduleId: string, cursor: number): Promise<WebSocket> {
  const asked = await call(visit, `/api/modules/${moduleId}/live-ticket`, { method: 'POST' })
  const query = new URLSearchParams({ ticket: (await read(LiveTicketAnswer, asked)).ticket, cursor: String(cursor) })
  return new WebSocket(`${visit.origin.replace(/^http/, 'ws')}/api/modules/${moduleId}/live?${query}`)
}

/** @throws when the socket closes first, or nothing comes in time */
function nextEvent(socket: WebSocket, withinMs: number): Promise<LiveEvent> {
  return new Promise<LiveEvent>((resolve, reject) => {
    const fail = (why: string) => reject(new Error(`the socket ${why}`))
    AbortSignal.timeout(withinMs).addEventListener('abort', () => fail('said nothing'))
    socket.addEventListener('message', ({ data }) => resolve(LiveEvent.parse(JSON.parse(String(data)))))
    socket.addEventListener('close', ({ code, reason }) => fail(`was closed: ${code} ${reason}`.trim()))
  })
}

async function watchModule(visit: Visit): Promise<string> {
  const { moduleId } = requireUpload(visit)
  const open = async (cursor: number): Promise<LiveEvent> => {
    const socket = await openSocket(visit, moduleId, cursor)
    return nextEvent(socket, SOCKET_WITHIN_MS).finally(() => socket.close())
  }
  const first = await open(0)
  const next = await open(first.seq)
  if (next.seq !== first.seq + 1) throw new Error(`after event ${first.seq} it replayed ${next.seq}`)
  return `replays from event ${first.seq} on`
}

export const socket: Check = {
  name: 'Socket',
  advice: 'Look at the Durable Object ModuleRoom in the dashboard; pages poll each 5 s meanwhile.',
  run: watchModule,
}

export const idleSocket: Check = {
  name: 'Idle socket',
  advice:
    'Something between pages and the room closes sockets that are silent; pages open them again and poll each 5 s meanwhile. Look for a proxy or a rule of the zone, and whether the room sleeps and wakes (`announced` in the log, `watchers`).',
  run: async (visit) => {
    const { moduleId } = requireUpload(visit)
    const last = await watchLast(visit, moduleId)
    const socket = await openSocket(visit, moduleId, last)
    try {
      const event = nextEvent(socket, visit.idleMs + SOCKET_WITHIN_MS)
      const early = await Promise.race([event, pause(visit.idleMs, null, { ref: false })])
      if (early !== null) throw new Error(`event ${early.seq} came although nothing had changed`)
      const startMs = Date.now()
      await expectOk(await call(visit, `/api/reprocess/${moduleId}`, { json: { from: 'start' } }))
      const { seq } = await event
      return `event ${seq} came ${seconds(Date.now() - startMs)} after its cause, behind ${seconds(visit.idleMs)} of silence`
    } finally {
      socket.close()
    }
  },
}

/** Reads the log of a module's room to its end. */
async function watchLast(visit: Visit, moduleId: string): Promise<number> {
  let last = 0
  for (;;) {
    const socket = await openSocket(visit, moduleId, last)
    const event = await nextEvent(socket, QUIET_MS).catch(() => null)
    socket.close()
    if (event === null) return last
    last = event.seq
  }
}
