import { Webhook } from 'standardwebhooks'
import { NotTaken, type SignedEvent, type Webhooks } from '#worker/ports/webhook.ts'
import { askReceiver } from './ask-receiver.ts'

/** A task waits for no receiver longer than this. */
const DEADLINE_MS = 10_000

/**
 * Whether an address is one of the public internet: https at its usual port, by a name that the public DNS can have. A
 * name that leads to a private address leads nowhere: the platform has no route there. One of the own zone leads to its
 * public door, by a flag of `wrangler.toml`.
 */
export function isPublicAddress({ protocol, hostname, port, username, password }: URL): boolean {
  const name = hostname.toLowerCase().replace(/\.$/, '')
  const isPlain = protocol === 'https:' && port === '' && username === '' && password === ''
  return isPlain && PUBLIC_NAME.test(name) && !PRIVATE_NAME.test(name)
}

/** Two labels at least, of which the last is no number: an IP address is none, however it is written. */
const PUBLIC_NAME = /^(?:[a-z0-9_](?:[a-z0-9_-]*[a-z0-9])?\.)+(?:[a-z][a-z0-9-]*[a-z0-9])$/
/** Names that never leave a machine or a house (RFC 6761, 6762, 8375, 9476). */
const PRIVATE_NAME =
  /(?:^|\.)(?:localhost|local|localdomain|internal|intranet|lan|home|corp|test|example|invalid|onion|alt|arpa)$/

/**
 * Sends events signed, to allowed addresses alone.
 * @param allows which those are
 */
export function webhookSender(allows: (url: URL) => boolean, deadlineMs = DEADLINE_MS): Webhooks {
  return { allows, post: (event) => post(event, { allows, deadlineMs }) }
}

async function post(
  { url, secret, id, body, timeMs }: SignedEvent,
  { allows, deadlineMs }: { allows: (url: URL) => boolean; deadlineMs: number },
): Promise<void> {
  // Asked again: what was allowed once may not be any more.
  if (!URL.canParse(url) || !allows(new URL(url))) throw new NotTaken('refused')
  const headers = {
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(timeMs / 1000)),
    'webhook-signature': new Webhook(secret).sign(id, new Date(timeMs), body),
  }
  const answered = await askReceiver(url, { body, headers }, deadlineMs)
  if (typeof answered === 'string' || answered < 200 || answered > 299) throw new NotTaken(String(answered))
}
