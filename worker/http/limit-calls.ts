import type { Context, Hono } from 'hono'
import { AppError } from '#worker/errors.ts'
import type { AppEnv } from './app-env.ts'
import { CALL_LIMITS, type CallLimit, GUESSED_PATHS } from './call-limits.ts'
import { hasRoom } from './has-room.ts'
import { networkOf } from './network-of.ts'
import { answerProblem } from './problem.ts'

/** The period of every limit in wrangler.toml; after it at the latest there is room again. */
export const LIMIT_PERIOD_S = 60

/** Counts calls by their address before anything else is done; by the person it is counted in `requireUser`. */
export function mountLimits(app: Hono<AppEnv>): void {
  for (const [route, limit] of Object.entries(CALL_LIMITS)) {
    const [method = '', path = ''] = route.split(' ')
    app.on(method, path, async (c, next) => {
      await limitNetwork(c, limit)
      c.set('callLimit', limit)
      await next()
    })
  }
  for (const [path, limit] of Object.entries(GUESSED_PATHS)) {
    app.use(path, async (c, next) => {
      await next()
      if (c.res.status === 404) await countMiss(c, c.env[limit])
    })
  }
}

/** @throws {AppError} rate_limited when too many such calls come from behind one address */
export async function limitNetwork(c: Context<AppEnv>, { budget, address }: CallLimit): Promise<void> {
  const network = networkOf(c.req.header('cf-connecting-ip'))
  await check(c.env[address], network && `${budget}:${network}`, FROM_NETWORK)
}

/** @throws {AppError} rate_limited when this person has called too often */
export async function limitCaller(c: Context<AppEnv>, userId: string): Promise<void> {
  const limit = c.var.callLimit
  if (limit?.caller) await check(c.env[limit.caller], `${limit.budget}:${userId}`, FROM_PERSON)
}

const FROM_NETWORK = 'Very many requests come from your network right now. Please wait a minute, then try again.'
const FROM_PERSON = 'You have done this very often in a short time. Please wait a minute, then try again.'

/** @param key null where the address is not known, as outside of Cloudflare's network */
async function check(limiter: RateLimit, key: string | null, message: string): Promise<void> {
  if (key === null || (await hasRoom(limiter, key))) return
  throw new AppError('rate_limited', message, { retryAfterS: LIMIT_PERIOD_S })
}

/**
 * Answers 429 to an address that guesses ids. Modules that exist are opened all the same: learners behind the same
 * address have guessed nothing, and guessing does not find one of 2^132 ids.
 */
async function countMiss(c: Context<AppEnv>, limiter: RateLimit): Promise<void> {
  const network = networkOf(c.req.header('cf-connecting-ip'))
  if (network === null || (await hasRoom(limiter, `missed:${network}`))) return
  const isPage = c.res.headers.get('content-type')?.startsWith('text/html') === true
  c.res = isPage
    ? new Response(c.res.body, { status: 429, headers: c.res.headers })
    : answerProblem(new AppError('rate_limited', FROM_NETWORK, { retryAfterS: LIMIT_PERIOD_S }), c)
  c.res.headers.set('retry-after', String(LIMIT_PERIOD_S))
}
