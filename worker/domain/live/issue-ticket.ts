import type { LiveTicketAnswer } from '#contract/live.ts'
import type { ModuleRole } from '#contract/module.ts'
import type { ModuleRow } from '#worker/domain/module/module-store.ts'
import { LIVE_TICKET_TTL_MS, VIDEO_TICKET_TTL_MS, writeTicket } from './ticket.ts'

/** Of which module a ticket is, for whom, and when it was asked for. */
interface Asked {
  moduleId: string
  role: ModuleRole
  nowMs: number
}

/**
 * A ticket for a module's socket, good for all but owners while the module is shared. The caller has checked that the
 * person may see the module.
 */
export async function issueLiveTicket(secret: string, { moduleId, role, nowMs }: Asked): Promise<LiveTicketAnswer> {
  const expiresAtMs = nowMs + LIVE_TICKET_TTL_MS
  const ticket = await writeTicket(secret, { kind: 'live', moduleId, role, expiresAtMs })
  return { success: true, ticket, expiresAt: new Date(expiresAtMs).toISOString() }
}

/**
 * Path of a module's video, good until its ticket expires and, for all but owners, while the module is shared. The
 * caller has checked that the person may see it.
 */
export async function issueVideoUrl(secret: string, { moduleId, role, nowMs }: Asked): Promise<string> {
  const expiresAtMs = nowMs + VIDEO_TICKET_TTL_MS
  return `/media/${moduleId}/video?ticket=${await writeTicket(secret, { kind: 'video', moduleId, role, expiresAtMs })}`
}

/** The same picture has the same address for an hour, so that a browser loads it once. */
const STABLE_MS = 60 * 60_000

/**
 * Path of a module's poster, under the rules of its video; null when it has none. The caller has checked that the
 * person may see it.
 */
export async function issuePosterUrl(
  secret: string,
  { module, role, nowMs }: { module: Pick<ModuleRow, 'id' | 'hasPoster'>; role: ModuleRole; nowMs: number },
): Promise<string | null> {
  if (!module.hasPoster) return null
  const expiresAtMs = (Math.floor(nowMs / STABLE_MS) + 1) * STABLE_MS + VIDEO_TICKET_TTL_MS
  const ticket = await writeTicket(secret, { kind: 'picture', moduleId: module.id, role, expiresAtMs })
  return `/media/${module.id}/pictures/poster?ticket=${ticket}`
}
