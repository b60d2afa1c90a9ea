import { z } from 'zod'
import { ModuleRole } from '#contract/module.ts'
import type { ModuleRow } from '#worker/domain/module/module-store.ts'

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

/** Whether a ticket opens its module now: it outlives the switch "Anyone with the link can view", but for owners only. */
export function stillOpens({ role }: Ticket, { shared }: Pick<ModuleRow, 'shared'>): boolean {
  return shared || role === 'owner'
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
