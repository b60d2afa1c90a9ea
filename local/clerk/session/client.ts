import { getCookie, setCookie } from 'hono/cookie'
import { clientJson, missingFields, sessionJson, signInJson, signUpJson } from '../json/resources.ts'
import { findAttemptUser, findOpenAttempt } from '../store/account-store.ts'
import { fieldError } from '../store/failures.ts'
import { type SignedIn } from '../store/organization-store.ts'
import { type Attempt, newId } from '../store/tables.ts'
import { type StandInContext } from './context.ts'
import { cookieSuffix } from './publishable-key.ts'
import { findSignedIn, isPending, mintSessionToken } from './tokens.ts'

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

/** @throws {HTTPException} for anything that does not look like the proof of a challenge */
export function requireProof(form: Record<string, string>): void {
  if (form['proof_token']?.startsWith('proof_')) return
  throw fieldError('proof_token', 'protect_check_invalid', 'The verification was not passed.')
}

const CLIENT_COOKIE = '__client'
// Clerk's scripts read it to know whether anybody is signed in, without asking.
const SIGNED_IN_SINCE_COOKIE = '__client_uat'
// Chrome's longest cookie life.
const COOKIE_LIFE_S = 400 * 24 * 60 * 60

export function readClientId(c: StandInContext): string | null {
  return getCookie(c, CLIENT_COOKIE) ?? null
}

/** The browser's id; a new one with its cookie when it has none yet. */
export function ensureClientId(c: StandInContext): string {
  const clientId = c.var.clientId ?? newId('client')
  if (!c.var.clientId) setCookie(c, CLIENT_COOKIE, clientId, { ...cookieOptions(c), httpOnly: true })
  c.set('clientId', clientId)
  return clientId
}

/** Null without a session. */
export async function setSignedInSince(c: StandInContext, timeMs: number | null): Promise<void> {
  const value = String(Math.floor((timeMs ?? 0) / 1000))
  for (const name of [SIGNED_IN_SINCE_COOKIE, `${SIGNED_IN_SINCE_COOKIE}_${await cookieSuffix()}`]) {
    setCookie(c, name, value, cookieOptions(c))
  }
}

function cookieOptions(c: StandInContext) {
  const secure = c.var.options.origin.startsWith('https:')
  return { path: '/', sameSite: 'Lax', secure, maxAge: COOKIE_LIFE_S } as const
}

/** The answer to every call that changes something: what was asked for, and the whole client beside it. */
export async function answer(c: StandInContext, response: unknown): Promise<Response> {
  return c.json({ response, client: await loadClientJson(c) })
}

/** null for a browser that was never here. */
export async function loadClientJson(c: StandInContext) {
  const { db, clientId } = c.var
  if (!clientId) return null
  const [signedIn, signIn, signUp] = await Promise.all([
    findSignedIn(c),
    findOpenAttempt(db, clientId, 'sign_in'),
    findOpenAttempt(db, clientId, 'sign_up'),
  ])
  return clientJson(clientId, signedIn && (await loadSessionJson(c, signedIn)), {
    sign_in: signIn && signInJson(signIn, await findAttemptUser(db, signIn)),
    sign_up: signUp && signUpJson(signUp, protectCheckOf(c, signUp)),
  })
}

export async function loadSessionJson(c: StandInContext, signedIn: SignedIn) {
  return sessionJson(signedIn, await mintSessionToken(c, signedIn), isPending(c, signedIn))
}
