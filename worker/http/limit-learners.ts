import type { Context } from 'hono'
import { AppError } from '#worker/errors.ts'
import type { AppEnv } from './app-env.ts'
import { hasRoom } from './has-room.ts'
import { LIMIT_PERIOD_S } from './limit-calls.ts'
import { networkOf } from './network-of.ts'

/**
 * Limits new learners without an account, at one module and at all of them, by the address. A learner who has a token is
 * not new.
 * @throws {AppError} rate_limited
 */
export async function limitNewLearner({ env, req }: Context<AppEnv>, moduleId: string): Promise<void> {
  const network = networkOf(req.header('cf-connecting-ip'))
  if (network === null) return
  const isFree =
    (await hasRoom(env.MISS_LIMIT, `learner:${network}:${moduleId}`)) &&
    (await hasRoom(env.ADDRESS_LIMIT, `learner:${network}`))
  if (!isFree) throw tooMany('Very many people in your network began to watch just now. Please wait a minute.')
}

/** Limits the reports of one session. @throws {AppError} rate_limited */
export async function limitReports({ env }: Context<AppEnv>, sessionId: string): Promise<void> {
  if (!(await hasRoom(env.CALLER_LIMIT, `session:${sessionId}`)))
    throw tooMany('Your progress is saved again in a minute.')
}

function tooMany(message: string): AppError {
  return new AppError('rate_limited', message, { retryAfterS: LIMIT_PERIOD_S })
}
