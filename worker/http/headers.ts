import type { Context } from 'hono'
import { cors } from 'hono/cors'
import { SECURITY_HEADERS } from '#contract/security-headers.ts'
import type { SharePageData } from '#contract/share-page.ts'
import type { AppEnv } from './app-env.ts'

/** For answers that are no page. */
export const NO_FRAMES = { 'content-security-policy': "default-src 'none'; frame-ancestors 'none'" }

/**
 * Headers of a public page: what it may load, that only the embedded one may be shown in frames, and that a link which
 * is its own permission leaks neither through the Referer header nor into a search engine.
 * @param origin where the app is open; older browsers do not count sockets to it as its own
 * @param look `collection`: it has a form, which leads to the page itself
 */
export function publicPageHeaders(origin: string, look: SharePageData['look'] | 'collection'): Record<string, string> {
  const policy = [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    "media-src 'self' blob:",
    "font-src 'self'",
    "worker-src 'self'",
    "manifest-src 'self'",
    `connect-src 'self' ${origin.replace(/^http/, 'ws')}`,
    "base-uri 'none'",
    `form-action ${look === 'collection' ? "'self'" : "'none'"}`,
    `frame-ancestors ${look === 'embed' ? '*' : "'none'"}`,
  ]
  return {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': policy.join('; '),
    'referrer-policy': 'no-referrer',
    'x-robots-tag': 'noindex',
    'x-content-type-options': 'nosniff',
  }
}

/** The edge caches every response without a `cache-control` header. */
const ALWAYS = { ...SECURITY_HEADERS, ...NO_FRAMES, 'cache-control': 'no-store' }

/** Adds the headers that every response has; a header that a route has set stays. */
export function completeHeaders(c: Context<AppEnv>): void {
  // The headers of a WebSocket response cannot be changed.
  if (c.res.status === 101) return
  for (const [name, value] of Object.entries(ALWAYS)) if (!c.res.headers.has(name)) c.header(name, value)
}

/** Lists the origins where users open the app; the first is the main one. */
export function listOrigins(env: Pick<Env, 'APP_ORIGINS'>): string[] {
  return env.APP_ORIGINS.split(',').map((origin) => origin.trim().replace(/\/$/, ''))
}

/** Preflights are asked for again after this long; Chromium keeps them no longer. */
const PREFLIGHT_S = 2 * 60 * 60

/** Where the app is open at several origins, each may call the API of the others; no other origin may. */
export const allowOrigins = cors({
  origin: (origin, c) => (listOrigins((c as { env: AppEnv['Bindings'] }).env).includes(origin) ? origin : null),
  allowMethods: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'],
  allowHeaders: ['authorization', 'content-type'],
  exposeHeaders: ['content-disposition', 'retry-after'],
  credentials: true,
  maxAge: PREFLIGHT_S,
})
