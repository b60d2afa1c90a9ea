import { getCookie } from 'hono/cookie'
import type { StandInContext } from './context.ts'
import { fieldError } from './fapi-error.ts'
import { missingFields } from './json/attempt-resources.ts'
import type { Attempt } from './tables.ts'

/** Set by a journey in its own browser; other browsers meet no challenge, and no other host. */
const PROTECT_COOKIE = 'local_clerk_protect'
/** Named like Clerk's own hosts, so that the site's policy decides about them. */
const PROTECT_HOST = 'https://challenge.protect.clerk.com'

function isSuspicious(c: StandInContext): boolean {
  return getCookie(c, PROTECT_COOKIE) === 'on'
}

/** What clerk-js loads as soon as it knows the instance: a script, and then a token from a port of its own. */
export function protectLoaders(c: StandInContext): object[] {
  if (!isSuspicious(c)) return []
  const attributes = { src: `${PROTECT_HOST}/loader.js?cid={cid}`, async: true }
  return [{ type: 'script', target: 'body', attributes, token_url: `${PROTECT_HOST}:8443/token?cid={cid}` }]
}

/** The challenge that a sign-up with all of its fields still has to pass; null for none. */
export function protectCheckOf(c: StandInContext, attempt: Attempt): object | null {
  if (!isSuspicious(c) || attempt.sessionId !== null || missingFields(attempt).length > 0) return null
  return { status: 'pending', token: 'challenge_local', sdk_url: `${PROTECT_HOST}/challenge.js` }
}

/** @throws {FapiError} for anything that does not look like the proof of a challenge */
export function requireProof(form: Record<string, string>): void {
  if (form['proof_token']?.startsWith('proof_')) return
  throw fieldError('proof_token', 'protect_check_invalid', 'The verification was not passed.')
}
