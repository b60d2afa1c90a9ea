import { z } from 'zod'
import type { LiveTicketAnswer } from '#contract/live.ts'
import { ModuleRole } from '#contract/module.ts'
import type { Context } from '#worker/core/context.ts'
import { isOwner } from '#worker/domain/module/get-module.ts'
import { isInvited } from '#worker/domain/module/invitation-store.ts'
import { isOpenById, type LinkFields } from '#worker/domain/module/link-state.ts'
import type { ModuleRow } from '#worker/domain/module/module-store.ts'
import { readSigned, signPayload } from '#worker/domain/signed-payload.ts'
import { toIso } from '#worker/domain/to-iso.ts'
import type { Caller } from '#worker/ports/identity.ts'

const Ticket = z.object({
  kind: z.enum(['live', 'video', 'poster', 'images']),
  moduleId: z.string(),
  /** What its person was when it was issued; orders the places in a room. What it opens is decided when it is used. */
  role: ModuleRole,
  /** The person that it was issued to; null for anyone with the link. */
  userId: z.string().nullable(),
  /** The organization that was active then; null for none. */
  orgId: z.string().nullable(),
  expiresAtMs: z.number(),
})
/**
 * What a ticket opens: a module's socket, its video, its poster, or all its images. Browsers cannot send a bearer header
 * with any of them, so the permission is checked when the ticket is written and travels in the address.
 */
export type Ticket = z.infer<typeof Ticket>

/** Of a module's images, the poster alone or all. */
export type OpenedImages = Extract<Ticket['kind'], 'poster' | 'images'>

/** Long enough to connect, too short to pass on. */
const LIVE_TICKET_TTL_MS = 60_000
/**
 * How long a person's video and images open at most without a new look at who they are. A page renews it every
 * `VIDEO_RENEW_MS`, so that two renewals may fail.
 */
export const VIDEO_TICKET_TTL_MS = 15 * 60_000
/** The same for anyone with the link, who may watch only while the module is shared, with a ticket or without. */
const LINK_TICKET_TTL_MS = 6 * 60 * 60_000
/** Addresses in an account's export: long enough to download many videos. */
export const EXPORT_TICKET_TTL_MS = 6 * 60 * 60_000

/** Signs a ticket. @param secrets as in `TICKET_SECRET` */
export function writeTicket(secrets: string, ticket: Ticket): Promise<string> {
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
  expected: { kinds: readonly Ticket['kind'][]; moduleId: string; nowMs: number },
): Promise<Ticket | null> {
  const { data: ticket } = Ticket.safeParse(await readSigned(secrets, token))
  // It may have been signed by an earlier release.
  if (ticket === undefined) return null
  const fits = expected.kinds.includes(ticket.kind) && ticket.moduleId === expected.moduleId
  return fits && ticket.expiresAtMs > expected.nowMs ? ticket : null
}

/**
 * What the holder of a ticket is to its module now, whatever they were when it was issued: an owner, still invited to
 * edit it, or anyone while it is open by its id. Null: the ticket opens nothing any more.
 */
export async function currentRoleOf(
  { db, nowMs }: Pick<Context, 'db' | 'nowMs'>,
  ticket: Ticket,
  module: LinkFields & Pick<ModuleRow, 'id' | 'userId' | 'orgId'>,
): Promise<ModuleRole | null> {
  if (isOwner(ticket, module)) return 'owner'
  const editorId = ticket.role === 'editor' ? ticket.userId : null
  if (editorId !== null && (await isInvited(db, module.id, editorId))) return 'editor'
  return isOpenById(module, nowMs()) ? 'viewer' : null
}

/** Of which module a ticket is, for whom, and when it was asked for. */
interface TicketOptions {
  moduleId: string
  role: ModuleRole
  /** Null for anyone with the link. */
  caller: Pick<Caller, 'userId' | 'orgId'> | null
  nowMs: number
}

function issue(
  secrets: string,
  kind: Ticket['kind'],
  { moduleId, role, caller, expiresAtMs }: Omit<TicketOptions, 'nowMs'> & { expiresAtMs: number },
): Promise<string> {
  const { userId = null, orgId = null } = caller ?? {}
  return writeTicket(secrets, { kind, moduleId, role, userId, orgId, expiresAtMs })
}

/**
 * Issues a ticket for a module's socket, good while {@link currentRoleOf} finds a role for it. The caller has checked
 * that the person may see the module.
 */
export async function issueLiveTicket(secrets: string, options: TicketOptions): Promise<LiveTicketAnswer> {
  const expiresAtMs = options.nowMs + LIVE_TICKET_TTL_MS
  return {
    success: true,
    ticket: await issue(secrets, 'live', { ...options, expiresAtMs }),
    expiresAt: toIso(expiresAtMs),
  }
}

/**
 * Issues a ticket for a module's video, good until it expires and while {@link currentRoleOf} finds a role for it. By
 * that role it opens the draft's video or that of learners. The caller has checked that the person may see it.
 */
export function issueVideoTicket(
  secrets: string,
  options: TicketOptions,
  ttlMs = options.caller === null ? LINK_TICKET_TTL_MS : VIDEO_TICKET_TTL_MS,
): Promise<string> {
  return issue(secrets, 'video', { ...options, expiresAtMs: options.nowMs + ttlMs })
}

/** Path of everything of a module that is opened by a ticket. */
export function mediaPath(moduleId: string): string {
  return `/media/${moduleId}`
}

/** Path of a module's video with a ticket. */
export function videoPath(moduleId: string, ticket: string): string {
  return `${mediaPath(moduleId)}/video?ticket=${ticket}`
}

/** The same image has the same address for this long, so that a browser loads it once. */
const STABLE_MS = 5 * 60_000

/**
 * Issues the path of a module's poster, under the rules of its video; null when it has none. The caller has checked that
 * the person may see it.
 * @param opens a list shows the poster alone; the page of one module shows all its images by this ticket (`imageUrl`)
 */
export async function issuePosterUrl(
  secrets: string,
  {
    module,
    opens,
    ...options
  }: Omit<TicketOptions, 'moduleId'> & {
    module: Pick<ModuleRow, 'id' | 'hasPoster'>
    opens: OpenedImages
  },
): Promise<string | null> {
  if (!module.hasPoster) return null
  // Ten to fifteen minutes, never longer than a video's: its person may have left the organization.
  const expiresAtMs = Math.floor((options.nowMs + VIDEO_TICKET_TTL_MS) / STABLE_MS) * STABLE_MS
  const ticket = await issue(secrets, opens, { ...options, moduleId: module.id, expiresAtMs })
  return `${mediaPath(module.id)}/images/poster?ticket=${ticket}`
}
