import { AppError } from '#worker/core/errors.ts'
import type { Mailer } from '#worker/ports/mailer.ts'

/**
 * Codes of failures that no retry changes (Email Service, "Workers API", error codes). A sender that is refused is ours to
 * set up: until then nobody was told.
 */
const FINAL = /^E_(?:VALIDATION|FIELD|TOO_MANY|RECIPIENT|HEADER|CONTENT)/

/** What of the environment sends mail; the binding is there where setup was given a sender. */
interface MailEnv {
  EMAIL?: Pick<SendEmail, 'send'>
  MAIL_FROM: string
}

/** Sends mail through Cloudflare's binding `send_email`. @returns null where there is no binding or no sender */
export function cloudflareMailer({ EMAIL: binding, MAIL_FROM: from }: MailEnv, origin: string): Mailer | null {
  if (binding === undefined || from === '') return null
  return {
    origin,
    async send(mail) {
      try {
        await binding.send({ ...mail, from: { email: from, name: 'Adapt' } })
      } catch (error) {
        throw toAppError(error)
      }
    },
  }
}

/** The service's own words may quote the address, so its code alone is kept. */
function toAppError(error: unknown): AppError {
  const { code } = error as { code?: unknown }
  const name = typeof code === 'string' && /^[A-Z_]{1,60}$/.test(code) ? code : 'unknown'
  return new AppError(FINAL.test(name) ? 'invalid_request' : 'unavailable', `The mail was not taken: ${name}.`)
}
