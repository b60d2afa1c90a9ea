import type { Context } from 'hono'
import { deleteCookie, getCookie, setCookie } from 'hono/cookie'
import { PERSON_TOKEN_TTL_MS, type VisitorKnownBy } from '#worker/domain/module/assigned-access.ts'
import { LINK_TOKEN_TTL_MS } from '#worker/domain/module/link-password.ts'
import type { AppEnv } from './app-env.ts'

/** One for each link, so that a device may have unlocked several. */
const nameOf = (linkId: string) => `adapt_link-${linkId}`

/** Finds the token by which this visitor has unlocked a link; null without. */
export function findLinkToken(c: Context<AppEnv>, linkId: string): string | null {
  return getCookie(c, nameOf(linkId)) ?? null
}

/**
 * Keeps a link open on a device. A frame on another site gets the cookie too, for that site alone (`Partitioned`): it opens
 * nothing but what whoever has entered the password reads.
 */
export function setLinkCookie(c: Context<AppEnv>, linkId: string, token: string): void {
  const isSecure = new URL(c.req.url).protocol === 'https:'
  setCookie(c, nameOf(linkId), token, {
    path: '/',
    maxAge: LINK_TOKEN_TTL_MS / 1000,
    httpOnly: true,
    ...(isSecure ? { secure: true, sameSite: 'None', partitioned: true } : { sameSite: 'Lax' }),
  })
}

/** Of a personal link or a code. */
const PERSON_COOKIE = 'adapt_person'
/** Of an account. */
const MEMBER_COOKIE = 'adapt_member'
const nameOfPerson = (knownBy: VisitorKnownBy) => (knownBy === 'signed_in' ? MEMBER_COOKIE : PERSON_COOKIE)

/** Clerk keeps when the browser last signed in, and 0 after signing out; with a suffix per instance. */
const SIGNED_IN = /(?:^|;\s*)__client_uat(?:_[\w-]+)?=[1-9]/

/** Finds the token of the person whose device this is; null without. That of an account ends with its sign-in. */
export function findPersonToken(c: Context<AppEnv>): string | null {
  const isSignedIn = SIGNED_IN.test(c.req.header('cookie') ?? '')
  return (isSignedIn ? findMemberToken(c) : null) ?? findVisitorToken(c)
}

/** Finds the token that an account has left; null without. */
export function findMemberToken(c: Context<AppEnv>): string | null {
  return getCookie(c, MEMBER_COOKIE) ?? null
}

const findVisitorToken = (c: Context<AppEnv>) => getCookie(c, PERSON_COOKIE) ?? null

/** Makes the device that of a person, and of nobody else. Only this site gets the cookie: it says who somebody is. */
export function setPersonCookie(c: Context<AppEnv>, token: string, knownBy: VisitorKnownBy): void {
  dropPersonCookies(c)
  const secure = new URL(c.req.url).protocol === 'https:'
  const maxAge = PERSON_TOKEN_TTL_MS[knownBy] / 1000
  setCookie(c, nameOfPerson(knownBy), token, { path: '/', maxAge, httpOnly: true, secure, sameSite: 'Lax' })
}

/** Forgets the person of an account, also for the rest of this call; who is known by a link or a code stays. */
export function dropMemberCookie(c: Context<AppEnv>): void {
  deleteCookie(c, MEMBER_COOKIE, { path: '/' })
  c.var.context.personToken = findVisitorToken(c)
}

/** Makes the device nobody's. */
export function dropPersonCookies(c: Context<AppEnv>): void {
  for (const name of [PERSON_COOKIE, MEMBER_COOKIE]) deleteCookie(c, name, { path: '/' })
}
