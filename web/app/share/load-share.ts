import { REQUEST_TIMEOUT_MS } from '#contract/limits.ts'
import type { LiveEvent, LiveTicketAnswer } from '#contract/live.ts'
import type { ShareAnswer, SharedModule } from '#contract/share.ts'

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
export async function loadPublicTicket(moduleId: string): Promise<string | null> {
  const answer = await ask(`/api/share/${encodeURIComponent(moduleId)}/live-ticket`, 'POST')
  if (answer.status === 404 || answer.status === 409) return null
  if (!answer.ok) throw new Error(`no ticket: ${answer.status}`)
  return ((await answer.json()) as LiveTicketAnswer).ticket
}

/** Null for what is not an event of a module. */
export function readPublicEvent(data: unknown): LiveEvent | null {
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
