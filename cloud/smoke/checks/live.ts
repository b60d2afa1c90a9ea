import { LiveEvent, LiveTicketAnswer } from '#contract/live.ts'
import { type Check, call, read, requireUpload, type Visit } from '../visit.ts'

const SOCKET_WITHIN_MS = 15_000

async function watchModule(visit: Visit): Promise<string> {
  const { moduleId } = requireUpload(visit)
  const open = async (cursor: number): Promise<LiveEvent> => {
    const { ticket } = await read(
      LiveTicketAnswer,
      await call(visit, `/api/modules/${moduleId}/live-ticket`, { method: 'POST' }),
    )
    const query = new URLSearchParams({ ticket, cursor: String(cursor) })
    const socket = new WebSocket(`${visit.origin.replace(/^http/, 'ws')}/api/modules/${moduleId}/live?${query}`)
    try {
      return await new Promise<LiveEvent>((resolve, reject) => {
        const fail = (why: string) => reject(new Error(`the socket ${why}`))
        AbortSignal.timeout(SOCKET_WITHIN_MS).addEventListener('abort', () => fail('said nothing'))
        socket.onmessage = ({ data }) => resolve(LiveEvent.parse(JSON.parse(String(data))))
        socket.onclose = ({ code, reason }) => fail(`was closed: ${code} ${reason}`)
      })
    } finally {
      socket.close()
    }
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
