import type { MiddlewareHandler } from 'hono'
import { AppError } from '#worker/errors.ts'
import type { AppEnv } from './app-env.ts'

/** The largest body, 4 MB, takes a minute on half a megabit per second. What streams has begun its answer long before. */
export const REQUEST_DEADLINE_MS = 60_000

const TOO_LATE = 'This takes longer than expected. Please wait a moment, then try again.'

/**
 * Answers a request that takes too long, so that no slow body, database or bucket holds its connection. What the request
 * has begun may still be finished, as when the connection is lost.
 */
export function limitTime(deadlineMs: number): MiddlewareHandler<AppEnv> {
  return async (_c, next) => {
    const { promise: late, reject } = Promise.withResolvers<never>()
    const timer = setTimeout(() => reject(new AppError('unavailable', TOO_LATE)), deadlineMs)
    try {
      await Promise.race([next(), late])
    } finally {
      clearTimeout(timer)
    }
  }
}
