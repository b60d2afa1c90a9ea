import type { Context } from 'hono'
import { SECURITY_HEADERS } from '#contract/security-headers.ts'
import type { AppEnv } from './app-env.ts'
import { NO_FRAMES } from './page-headers.ts'

/** The edge caches what does not say otherwise. */
const ALWAYS = { ...SECURITY_HEADERS, ...NO_FRAMES, 'cache-control': 'no-store' }

/** Adds to an answer what every answer has; what a route says itself stands. */
export function completeHeaders(c: Context<AppEnv>): void {
  // A socket's answer has no headers of its own.
  if (c.res.status === 101) return
  for (const [name, value] of Object.entries(ALWAYS)) if (!c.res.headers.has(name)) c.header(name, value)
}
