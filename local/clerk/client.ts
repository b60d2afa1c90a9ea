import { getCookie, setCookie } from 'hono/cookie'
import type { StandInContext } from './context.ts'
import { newId } from './ids.ts'
import { signInJson, signUpJson } from './json/attempt-resources.ts'
import { clientJson, sessionJson } from './json/resources.ts'
import { protectCheckOf } from './protect.ts'
import { cookieSuffix } from './publishable-key.ts'
import { findSignedIn, type SignedIn } from './signed-in.ts'
import { findOpenAttempt } from './store/attempt-store.ts'
import { mintSessionToken } from './tokens.ts'

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

/** null: nobody is signed in. */
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
  return clientJson(clientId, {
    session: signedIn && (await loadSessionJson(c, signedIn)),
    signIn: signIn && (await signInJson(db, signIn)),
    signUp: signUp && signUpJson(signUp, protectCheckOf(c, signUp)),
  })
}

export async function loadSessionJson(c: StandInContext, signedIn: SignedIn) {
  return sessionJson(signedIn, await mintSessionToken(c, signedIn))
}
