import type { LiveEvent, LiveTicketAnswer } from '#contract/live.ts'
import { askServer } from './ask-server.ts'

/** Asks for a ticket for the module's socket. Null: the module is not in progress any more, so there is none. */
async function loadPublicTicket(moduleId: string): Promise<string | null> {
  const answer = await askServer(`/api/share/${encodeURIComponent(moduleId)}/live-ticket`, 'POST')
  if (answer.status === 404 || answer.status === 409) return null
  if (!answer.ok) throw new Error(`no ticket: ${answer.status}`)
  return ((await answer.json()) as LiveTicketAnswer).ticket
}

/** Null for what is not an event of a module. */
function readPublicEvent(json: unknown): LiveEvent | null {
  const event = json as Partial<LiveEvent>
  const isEvent = event.kind === 'module' && typeof event.seq === 'number' && typeof event.status === 'string'
  return isEvent ? (event as LiveEvent) : null
}

/** Listens to a module's socket until it is stopped. Only a module in progress needs its code; polls go on without. */
export function watchModule(moduleId: string, onEvent: (event: LiveEvent) => void): () => void {
  const loadTicket = () => loadPublicTicket(moduleId)
  let isStopped = false
  let close = () => undefined as void
  import('#web/features/live/live-socket.ts').then(
    ({ openLiveSocket }) => {
      if (!isStopped) close = openLiveSocket({ moduleId, loadTicket, readEvent: readPublicEvent, onEvent })
    },
    () => undefined,
  )
  return () => {
    isStopped = true
    close()
  }
}
