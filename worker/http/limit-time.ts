import type { HTTPException } from 'hono/http-exception'
import { timeout } from 'hono/timeout'
import { AppError } from '#worker/core/errors.ts'

/** The largest body, 4 MB, takes a minute on half a megabit per second. What streams has begun its answer long before. */
export const REQUEST_DEADLINE_MS = 60_000

const TOO_LATE = 'This takes longer than expected. Please wait a moment, then try again.'

/**
 * Answers a request that takes too long, so that a slow body, database or bucket does not hold its connection. Work
 * that the request has begun may still finish, as when a client disconnects.
 */
export const limitTime = (deadlineMs: number) =>
  timeout(deadlineMs, () => new AppError('unavailable', TOO_LATE) as Error as HTTPException)
