import type { Context } from 'hono'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import { PASSWORD_MAX_LENGTH, PASSWORD_MIN_LENGTH } from './json/environment.ts'
import type { StandInDb } from './tables.ts'

export interface StandInOptions {
  db: D1Database
  assets: Pick<Fetcher, 'fetch'>
  /** Where the app is opened; `azp` of tokens for requests that do not say their origin. */
  origin: string
}

export interface StandInEnv {
  Variables: {
    options: StandInOptions
    db: StandInDb
    /** The browser, by its cookie; null until it starts to sign in. */
    clientId: string | null
  }
}

export type StandInContext = Context<StandInEnv>

/** The `iss` of the tokens of a stand-in that serves this origin. */
export function standInIssuer(origin: string): string {
  return `${origin}/__clerk`
}

/** A failure as Clerk's Frontend API words it; its components know the codes and show their own texts. */
export class FapiError extends Error {
  readonly status: ContentfulStatusCode
  readonly code: string
  readonly field: string | null

  constructor(status: ContentfulStatusCode, code: string, message: string, field: string | null = null) {
    super(message)
    this.name = 'FapiError'
    this.status = status
    this.code = code
    this.field = field
  }
}

/** A fault of one field of a form; the component shows it there. */
export function fieldError(field: string, code: string, message: string): FapiError {
  return new FapiError(422, code, message, field)
}

export function notFound(what: string): FapiError {
  return new FapiError(404, 'resource_not_found', `${what} not found`)
}

/** Makes clerk-js ask for the client again and sign out if the session is gone. */
export function unauthenticated(): FapiError {
  return new FapiError(401, 'authentication_invalid', 'This session has no signed-in user')
}

export function errorBody(error: FapiError) {
  const meta = error.field ? { param_name: error.field } : {}
  return {
    errors: [{ code: error.code, message: error.message, long_message: error.message, meta }],
    clerk_trace_id: crypto.randomUUID(),
  }
}

/** The text fields of a form body; a field that came several times counts by its last value. */
export async function readForm(c: StandInContext): Promise<Record<string, string>> {
  const entries = Object.entries(await c.req.parseBody())
  return Object.fromEntries(entries.filter((entry): entry is [string, string] => typeof entry[1] === 'string'))
}

/** Addresses count as equal whatever their case. */
export function normalizeEmail(email: string): string {
  return email.trim().toLowerCase()
}

/** @throws {FapiError} with `field` as the one at fault. */
export function requireEmail(email: string, field: string): string {
  const normalized = normalizeEmail(email)
  if (!/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(normalized)) {
    throw fieldError(field, 'form_param_format_invalid', 'Email address must be a valid email address.')
  }
  return normalized
}

/** @throws {FapiError} with `field` as the one at fault. */
export function requireNewPassword(password: string, field: string): string {
  if (password.length < PASSWORD_MIN_LENGTH) {
    const text = `Passwords must be ${PASSWORD_MIN_LENGTH} characters or more.`
    throw fieldError(field, 'form_password_length_too_short', text)
  }
  if (password.length > PASSWORD_MAX_LENGTH) {
    const text = `Passwords must be ${PASSWORD_MAX_LENGTH} characters or fewer.`
    throw fieldError(field, 'form_password_length_too_long', text)
  }
  return password
}
