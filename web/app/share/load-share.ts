import { REQUEST_TIMEOUT_MS } from '#contract/limits.ts'
import type { LiveEvent, LiveTicketAnswer } from '#contract/live.ts'
import type { ShareAnswer, SharedModule } from '#contract/share.ts'
import { SHARE_DATA_ID, type SharePageData } from '#contract/share-page.ts'
import { openLiveSocket } from '#web/features/live/live-socket.ts'

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
function readPublicEvent(json: unknown): LiveEvent | null {
  const event = json as Partial<LiveEvent>
  const isEvent = event.kind === 'module' && typeof event.seq === 'number' && typeof event.status === 'string'
  return isEvent ? (event as LiveEvent) : null
}

function ask(path: string, method = 'GET'): Promise<Response> {
  const headers = { accept: 'application/json' }
  return fetch(path, { method, headers, credentials: 'same-origin', signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS) })
}

/** Listens to a module's socket until it is stopped. */
export function watchModule(moduleId: string, onEvent: (event: LiveEvent) => void): () => void {
  const loadTicket = () => loadPublicTicket(moduleId)
  return openLiveSocket({ moduleId, loadTicket, readEvent: readPublicEvent, onEvent })
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
