import { z } from 'zod'
import { ModuleRole } from '#contract/module.ts'
import { isOwner } from '#worker/domain/module/module-access.ts'
import type { ModuleRow } from '#worker/domain/module/module-store.ts'

const Ticket = z.object({
  kind: z.enum(['live', 'video', 'picture']),
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
 * What a ticket opens: a module's socket, its video, or its pictures. Browsers cannot send a bearer header with any of
 * them, so the permission is checked when the ticket is written and travels in the address.
 */
export type Ticket = z.infer<typeof Ticket>

/** Long enough to connect, too short to pass on. */
export const LIVE_TICKET_TTL_MS = 60_000
/**
 * How long a person's video and pictures open without a new look at who they are. A page renews it every
 * `VIDEO_RENEW_MS`, so that two renewals may fail.
 */
export const VIDEO_TICKET_TTL_MS = 15 * 60_000
/** The same for anyone with the link, who may watch only while the module is shared, with a ticket or without. */
export const LINK_TICKET_TTL_MS = 6 * 60 * 60_000
/** Addresses in an account's export: long enough to download many videos. */
export const EXPORT_TICKET_TTL_MS = 6 * 60 * 60_000

/**
 * The secret to sign with. While one is being changed, `TICKET_SECRET` is the new one and the old one, with a comma
 * between, so that tickets that were handed out before go on opening.
 */
export function currentSecret(secrets: string): string {
  return listSecrets(secrets)[0] ?? ''
}

/**
 * Signs a ticket: base64url(JSON) + `.` + base64url(HMAC-SHA-256).
 * @param secrets as in `TICKET_SECRET`
 */
export async function writeTicket(secrets: string, ticket: Ticket): Promise<string> {
  const payload = new TextEncoder().encode(JSON.stringify(ticket))
  const signature = await crypto.subtle.sign('HMAC', await importKey(currentSecret(secrets)), payload)
  return `${encode(payload)}.${encode(new Uint8Array(signature))}`
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
  const [payloadText, signatureText, ...rest] = token.split('.')
  if (payloadText === undefined || signatureText === undefined || rest.length > 0) return null
  const payload = decode(payloadText)
  const signature = decode(signatureText)
  if (payload === null || signature === null) return null
  if (!(await isSigned(secrets, { payload, signature }))) return null
  const { data: ticket } = Ticket.safeParse(JSON.parse(new TextDecoder().decode(payload)))
  // Signed by an earlier version of ours, perhaps.
  if (ticket === undefined) return null
  const fits = ticket.kind === expected.kind && ticket.moduleId === expected.moduleId
  return fits && ticket.expiresAtMs > expected.nowMs ? ticket : null
}

/** Whether a ticket opens its module now: everybody's while the module is shared, otherwise those of its owners of now. */
export function stillOpens(ticket: Ticket, module: Pick<ModuleRow, 'shared' | 'userId' | 'orgId'>): boolean {
  return module.shared || isOwner(ticket, module)
}

interface Signed {
  payload: Uint8Array<ArrayBuffer>
  signature: Uint8Array<ArrayBuffer>
}

async function isSigned(secrets: string, { payload, signature }: Signed): Promise<boolean> {
  for (const secret of listSecrets(secrets)) {
    // `verify` compares in constant time.
    if (await crypto.subtle.verify('HMAC', await importKey(secret), signature, payload)) return true
  }
  return false
}

function listSecrets(secrets: string): string[] {
  return secrets.split(',').filter((secret) => secret !== '')
}

function importKey(secret: string): Promise<CryptoKey> {
  const bytes = new TextEncoder().encode(secret)
  return crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign', 'verify'])
}

function encode(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')
}

function decode(text: string): Uint8Array<ArrayBuffer> | null {
  if (!/^[\w-]+$/.test(text)) return null
  try {
    return Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (char) => char.charCodeAt(0))
  } catch {
    return null
  }
}
