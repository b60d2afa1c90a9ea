import type { Context } from 'hono'
import { generateCookie, getCookie } from 'hono/cookie'
import { findLanguage, firstSpoken, type InterfaceLanguage } from '#contract/languages.ts'
import type { AppEnv } from './app-env.ts'

/** Keeps the language that a person has chosen on a page, for all pages of this device. */
const LANGUAGE_COOKIE = 'adapt_lang'
const LANGUAGE_KEPT_S = 365 * 24 * 60 * 60

/** What a page in the visitor's language depends on, for `Vary`. */
export const VARIES = 'accept-language, cookie'

/**
 * Lists the primary tags of the languages that a visitor reads: from the address, from the cookie, then from the
 * browser.
 */
export function listWanted(c: Context<AppEnv>): string[] {
  const queryLanguage = findLanguage(c.req.query('lang'))
  const cookieLanguage = getCookie(c, LANGUAGE_COOKIE)
  const tags = [queryLanguage, cookieLanguage, ...readAcceptLanguage(c.req.header('accept-language') ?? '')]
  return tags.filter((tag) => tag !== null && tag !== undefined)
}

/** Chooses the language of the app for a visitor: English if the app has none of theirs. */
export function chooseInterface(c: Context<AppEnv>): InterfaceLanguage {
  return firstSpoken(listWanted(c))
}

/** Keeps the language that an address asks for; adds nothing to an address that asks for none. */
export function addLanguageCookie(c: Context<AppEnv>, headers: Headers): void {
  const language = findLanguage(c.req.query('lang'))
  if (language === null) return
  const secure = new URL(c.req.url).protocol === 'https:'
  const cookieOptions = { path: '/', maxAge: LANGUAGE_KEPT_S, httpOnly: true, sameSite: 'Lax', secure } as const
  headers.append('set-cookie', generateCookie(LANGUAGE_COOKIE, language, cookieOptions))
  // A shared cache would send one visitor's cookie to the next visitor.
  const cached = headers.get('cache-control')
  if (cached !== null) headers.set('cache-control', cached.replace(/\bpublic\b/, 'private'))
}

/** Path of a page of the site in a language (web/build/build-site.ts). */
export function builtPage(path: string, tag: InterfaceLanguage): string {
  return tag === 'en' ? path : `/${tag}${path}`
}

/** No browser that a user has configured lists more languages than this. */
const ACCEPTED_MAX = 10

/** Reads the primary tags of `Accept-Language`, the best first (RFC 9110 §12.5.4). */
function readAcceptLanguage(header: string): string[] {
  const ranges = header.split(',', ACCEPTED_MAX).map((range) => {
    const [tag = '', weight = ''] = range.split(';')
    const quality = /q=([\d.]+)/.exec(weight)?.[1]
    return { tag: tag.trim().split('-')[0]?.toLowerCase() ?? '', quality: quality === undefined ? 1 : Number(quality) }
  })
  return ranges
    .filter(({ quality }) => quality > 0)
    .toSorted((a, b) => b.quality - a.quality)
    .map(({ tag }) => tag)
}
