import type { StandInContext } from './context.ts'
import { fieldError } from './fapi-error.ts'
import { PASSWORD_MAX_LENGTH, PASSWORD_MIN_LENGTH } from './json/user-settings.ts'

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
