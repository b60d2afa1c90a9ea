import { z } from 'zod'
import { ModuleRole } from '#contract/module.ts'
import { isOwner } from '#worker/domain/module/module-access.ts'
import type { ModuleRow } from '#worker/domain/module/module-store.ts'
import { readSigned, signPayload } from '#worker/domain/signed-payload.ts'

const Ticket = z.object({
  kind: z.enum(['live', 'video', 'image']),
  moduleId: z.string(),
  /** What its person was when it was issued; only orders the places in a room. What it opens is decided when it is used. */
  role: ModuleRole,
  /** The person that it was issued to; null for anyone with the link. */
  userId: z.string().nullable(),
  /** The organization that was active then; null for none. */
  orgId: z.string().nullable(),
  expiresAtMs: z.number(),
})
/**
 * What a ticket opens: a module's socket, its video, or its images. Browsers cannot send a bearer header with any of
 * them, so the permission is checked when the ticket is written and travels in the address.
 */
export type Ticket = z.infer<typeof Ticket>

/** Long enough to connect, too short to pass on. */
export const LIVE_TICKET_TTL_MS = 60_000
/**
 * How long a person's video and images open without a new look at who they are. A page renews it every
 * `VIDEO_RENEW_MS`, so that two renewals may fail.
 */
export const VIDEO_TICKET_TTL_MS = 15 * 60_000
/** The same for anyone with the link, who may watch only while the module is shared, with a ticket or without. */
export const LINK_TICKET_TTL_MS = 6 * 60 * 60_000
/** Addresses in an account's export: long enough to download many videos. */
export const EXPORT_TICKET_TTL_MS = 6 * 60 * 60_000

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
  // It may have been signed by an earlier release.
  if (ticket === undefined) return null
  const fits = ticket.kind === expected.kind && ticket.moduleId === expected.moduleId
  return fits && ticket.expiresAtMs > expected.nowMs ? ticket : null
}

/** True when a ticket opens its module now: any ticket of a shared module, otherwise those of current owners. */
export function stillOpens(ticket: Ticket, module: Pick<ModuleRow, 'shared' | 'userId' | 'orgId'>): boolean {
  return module.shared || isOwner(ticket, module)
}
