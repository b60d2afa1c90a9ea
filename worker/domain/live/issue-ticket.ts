import type { LiveTicketAnswer } from '#contract/live.ts'
import type { ModuleRole } from '#contract/module.ts'
import type { ModuleRow } from '#worker/domain/module/module-store.ts'
import type { Caller } from '#worker/ports/identity.ts'
import { LINK_TICKET_TTL_MS, LIVE_TICKET_TTL_MS, VIDEO_TICKET_TTL_MS, writeTicket } from './ticket.ts'

/** Of which module a ticket is, for whom, and when it was asked for. */
interface Asked {
  moduleId: string
  role: ModuleRole
  /** Null for anyone with the link. */
  caller: Pick<Caller, 'userId' | 'orgId'> | null
  nowMs: number
}

/** The fields of a ticket that say whose it is. */
function holderOf({ moduleId, role, caller }: Omit<Asked, 'nowMs'>) {
  return { moduleId, role, userId: caller?.userId ?? null, orgId: caller?.orgId ?? null }
}

/**
 * Issues a ticket for a module's socket, good for all but owners while the module is shared. The caller has checked that
 * the person may see the module.
 */
export async function issueLiveTicket(secret: string, { nowMs, ...asked }: Asked): Promise<LiveTicketAnswer> {
  const expiresAtMs = nowMs + LIVE_TICKET_TTL_MS
  const ticket = await writeTicket(secret, { kind: 'live', ...holderOf(asked), expiresAtMs })
  return { success: true, ticket, expiresAt: new Date(expiresAtMs).toISOString() }
}

/**
 * Issues a ticket for a module's video, good until it expires and, for all but owners, while the module is shared. The
 * caller has checked that the person may see it.
 */
export function issueVideoTicket(
  secret: string,
  { nowMs, ...asked }: Asked,
  ttlMs = asked.caller === null ? LINK_TICKET_TTL_MS : VIDEO_TICKET_TTL_MS,
): Promise<string> {
  return writeTicket(secret, { kind: 'video', ...holderOf(asked), expiresAtMs: nowMs + ttlMs })
}

/** Path of everything of a module that is opened by a ticket. */
export function mediaPath(moduleId: string): string {
  return `/media/${moduleId}`
}

/** Path of a module's video with a ticket. */
export function videoPath(moduleId: string, ticket: string): string {
  return `${mediaPath(moduleId)}/video?ticket=${ticket}`
}

/** The same image has the same address for an hour, so that a browser loads it once. */
const STABLE_MS = 60 * 60_000

/**
 * Issues the path of a module's poster, under the rules of its video; null when it has none. The caller has checked that
 * the person may see it.
 */
export async function issuePosterUrl(
  secret: string,
  { module, ...asked }: Omit<Asked, 'moduleId'> & { module: Pick<ModuleRow, 'id' | 'hasPoster'> },
): Promise<string | null> {
  if (!module.hasPoster) return null
  const { nowMs, ...whose } = { ...asked, moduleId: module.id }
  // Between one and two hours: a list that is shown for longer has been reloaded.
  const expiresAtMs = (Math.floor(nowMs / STABLE_MS) + 2) * STABLE_MS
  const ticket = await writeTicket(secret, { kind: 'image', ...holderOf(whose), expiresAtMs })
  return `${mediaPath(module.id)}/images/poster?ticket=${ticket}`
}
