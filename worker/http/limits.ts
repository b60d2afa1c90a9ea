import type { Context, Hono } from 'hono'
import { AppError, faultOf } from '#worker/core/errors.ts'
import { openDatabase } from '#worker/db/db.ts'
import { reserveRows } from '#worker/domain/quota/take-quota.ts'
import { logLine } from '#worker/log/log.ts'
import type { AppEnv } from './app-env.ts'
import { CALL_LIMITS, type CallLimit, GUESSED_PATHS } from './call-limits.ts'
import { networkOf, siteOf } from './network-of.ts'
import { answerProblem } from './problem.ts'

/** Whether one more call fits under a limit. A limiter that fails lets the call pass: it is no quota. */
export async function hasRoom(limiter: RateLimit, key: string): Promise<boolean> {
  try {
    return (await limiter.limit({ key })).success
  } catch (error) {
    logLine('warn', 'limit_unread', faultOf(error))
    return true
  }
}

/** Limiters of a whole site, by the limiter of a single network; they allow ten times as much. */
const SITE_LIMITS = {
  ADDRESS_LIMIT: 'ADDRESS_SITE_LIMIT',
  LINK_LIMIT: 'LINK_SITE_LIMIT',
  MISS_LIMIT: 'MISS_SITE_LIMIT',
} as const

/**
 * Whether one more call from an address fits under the limit of its network, and of its site. Calls of a network that
 * is over its own limit do not count towards the limit of its site.
 * @param keyOf names what is counted of a network or a site
 */
async function hasNetworkRoom(
  { env, req }: Context<AppEnv>,
  name: keyof typeof SITE_LIMITS,
  keyOf: (network: string) => string,
): Promise<boolean> {
  const address = req.header('cf-connecting-ip')
  const [network, site] = [networkOf(address), siteOf(address)]
  if (network !== null && !(await hasRoom(env[name], keyOf(network)))) return false
  return site === null || hasRoom(env[SITE_LIMITS[name]], keyOf(site))
}

/** The period of every limit in wrangler.toml; at the latest after it, calls pass again. */
export const LIMIT_PERIOD_S = 60

/** Of `TUTOR_MODULE_LIMIT` and `LINK_QUESTION_LIMIT` in wrangler.toml. */
export const QUESTIONS_PERIOD_S = 10
/** Of questions about a training or a collection. */
export const MANY_ASK = 'Many people are asking about this video right now. Please ask again in a moment.'

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
      if (c.res.status === 404) await countMiss(c, limit)
    })
  }
}

/** @throws {AppError} rate_limited when too many such calls come from behind one address */
export async function limitNetwork(c: Context<AppEnv>, { budget, address }: CallLimit): Promise<void> {
  if (!(await hasNetworkRoom(c, address, (network) => `${budget}:${network}`))) throw tooMany(FROM_NETWORK)
}

/** @throws {AppError} rate_limited when this person has called too often */
export async function limitCaller(c: Context<AppEnv>, userId: string): Promise<void> {
  const limit = c.var.callLimit
  if (limit?.caller) await checkRateLimit(c.env[limit.caller], `${limit.budget}:${userId}`, FROM_PERSON)
}

const FROM_NETWORK = 'Very many requests come from your network right now. Please wait a minute, then try again.'
const FROM_PERSON = 'You have done this very often in a short time. Please wait a minute, then try again.'

/**
 * @param key null where the address is not known, as outside of Cloudflare's network
 * @param periodS the limiter's period, after which the caller may come again
 * @throws {AppError} rate_limited
 */
export async function checkRateLimit(
  limiter: RateLimit,
  key: string | null,
  message: string,
  periodS = LIMIT_PERIOD_S,
): Promise<void> {
  if (key === null || (await hasRoom(limiter, key))) return
  throw tooMany(message, periodS)
}

/**
 * Answers 429 to an address that guesses ids. Modules that exist are opened all the same: learners behind the same
 * address have guessed nothing, and guessing does not find one of 2^132 ids.
 */
async function countMiss(c: Context<AppEnv>, limit: 'MISS_LIMIT' | 'LINK_LIMIT'): Promise<void> {
  if (await hasNetworkRoom(c, limit, (network) => `missed:${network}`)) return
  const isPage = c.res.headers.get('content-type')?.startsWith('text/html') === true
  c.res = isPage
    ? new Response(c.res.body, { status: 429, headers: c.res.headers })
    : answerProblem(tooMany(FROM_NETWORK), c)
  c.res.headers.set('retry-after', String(LIMIT_PERIOD_S))
}

/**
 * Reserves the rows that a call may write, and refunds what it has not written.
 * @throws {AppError} quota_reached; nothing has been written then
 */
export async function withinRows(c: Context<AppEnv>, userId: string, work: () => Promise<void>): Promise<void> {
  const { context, callLimit: { rowsMax } = {} } = c.var
  if (rowsMax === undefined || context.quotas.rows === null) return work()
  const { d1, settle } = await reserveRows(context, userId, rowsMax)
  // In place: whoever holds this context already is to write within these rows, too.
  Object.assign(context, openDatabase({ DB: d1 }))
  const done = work()
  const settled = done.catch(() => undefined).then(settle)
  // Passed to `waitUntil` from the beginning: when a client disconnects, the runtime would end the request before the
  // refund, and the rows would stay reserved.
  c.executionCtx.waitUntil(settled)
  await done
}

/**
 * Limits new learners without an account, at one module and at all of them, by the address. A learner who has a token is
 * not new.
 * @throws {AppError} rate_limited
 */
export async function limitNewLearner(c: Context<AppEnv>, moduleId: string): Promise<void> {
  const fits =
    (await hasNetworkRoom(c, 'MISS_LIMIT', (network) => `learner:${network}:${moduleId}`)) &&
    (await hasNetworkRoom(c, 'ADDRESS_LIMIT', (network) => `learner:${network}`))
  if (!fits) throw tooMany('Very many people in your network began to watch just now. Please wait a minute.')
}

/** Limits the reports of one session. @throws {AppError} rate_limited */
export function limitReports({ env }: Context<AppEnv>, sessionId: string): Promise<void> {
  return checkRateLimit(env.CALLER_LIMIT, `session:${sessionId}`, 'Your progress is saved again in a minute.')
}

/** Limits what one network and its site ask about a training or a collection. @throws {AppError} rate_limited */
export async function limitAsking({ env, req }: Context<AppEnv>, id: string): Promise<void> {
  const address = req.header('cf-connecting-ip')
  const [network, site] = [networkOf(address), siteOf(address)]
  await checkRateLimit(env.LINK_QUESTION_LIMIT, network && `${id}:${network}`, MANY_ASK, QUESTIONS_PERIOD_S)
  await checkRateLimit(env.LINK_QUESTION_SITE_LIMIT, site && `${id}:${site}`, MANY_ASK, QUESTIONS_PERIOD_S)
}

function tooMany(message: string, retryAfterS = LIMIT_PERIOD_S): AppError {
  return new AppError('rate_limited', message, { retryAfterS })
}
