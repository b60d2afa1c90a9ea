import { z } from 'zod'
import { ModuleRole } from '#contract/module.ts'
import type { ModuleRow } from '#worker/domain/module/module-store.ts'
import { readSigned, signPayload } from '#worker/domain/signed-payload.ts'

const Ticket = z.object({
  kind: z.enum(['live', 'video', 'picture']),
  moduleId: z.string(),
  /** Who asked for it. A viewer's ticket, and anyone's with the link, is good only while the module is shared. */
  role: ModuleRole,
  expiresAtMs: z.number(),
})
/**
 * What a ticket opens: a module's socket, its video, or its pictures. Browsers cannot send a bearer header with any of
 * them, so the permission is checked when the ticket is written and travels in the address.
 */
export type Ticket = z.infer<typeof Ticket>

/** Long enough to connect, too short to pass on. */
export const LIVE_TICKET_TTL_MS = 60_000
/** Outlives a working day's session with one video; the player fetches a new address when it has run out. */
export const VIDEO_TICKET_TTL_MS = 6 * 60 * 60_000

/**
 * Signs a ticket.
 * @param secrets as in `TICKET_SECRET`
 */
export async function writeTicket(secrets: string, ticket: Ticket): Promise<string> {
  return signPayload(secrets, ticket)
}

/**
 * Reads a ticket.
 * @param secrets as in `TICKET_SECRET`; any of them may have signed it
 * @returns null when it is not ours, expired, or for something else
 */
export async function readTicket(
  secrets: string,
  token: string,
  expected: { kind: Ticket['kind']; moduleId: string; nowMs: number },
): Promise<Ticket | null> {
  const { data: ticket } = Ticket.safeParse(await readSigned(secrets, token))
  // Signed by an earlier version of ours, perhaps.
  if (ticket === undefined) return null
  const fits = ticket.kind === expected.kind && ticket.moduleId === expected.moduleId
  return fits && ticket.expiresAtMs > expected.nowMs ? ticket : null
}

/** Whether a ticket opens its module now: it outlives the switch "Anyone with the link can view", but for owners only. */
export function stillOpens({ role }: Ticket, { shared }: Pick<ModuleRow, 'shared'>): boolean {
  return shared || role === 'owner'
}
