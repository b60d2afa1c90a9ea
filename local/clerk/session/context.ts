import type { Context } from 'hono'
import { PASSWORD_MAX_LENGTH, PASSWORD_MIN_LENGTH } from '../json/environment.ts'
import { fieldError } from '../store/failures.ts'
import type { StandInDb } from '../store/tables.ts'

export interface StandInOptions {
  db: D1Database
  assets: Pick<Fetcher, 'fetch'>
  /** Where the app is opened; `azp` of tokens for requests that do not say their origin. */
  origin: string
  /** Clerk's *Membership: required*: without an active organization a session is pending, and good for nothing else. */
  isMembershipRequired: boolean
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

/** The text fields of a form body; a field that came several times counts by its last value. */
export async function readForm(c: StandInContext): Promise<Record<string, string>> {
  const entries = Object.entries(await c.req.parseBody())
  return Object.fromEntries(entries.filter((entry): entry is [string, string] => typeof entry[1] === 'string'))
}

/** Addresses count as equal whatever their case. */
export function normalizeEmail(email: string): string {
  return email.trim().toLowerCase()
}

/** @throws {HTTPException} with `field` as the one at fault. */
export function requireEmail(email: string, field: string): string {
  const normalized = normalizeEmail(email)
  if (!/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(normalized)) {
    throw fieldError(field, 'form_param_format_invalid', 'Email address must be a valid email address.')
  }
  return normalized
}

/** @throws {HTTPException} with `field` as the one at fault. */
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
