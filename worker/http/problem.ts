import type { Context } from 'hono'
import { PROBLEMS, type Problem, type ProblemCode } from '#contract/problem.ts'
import { AppError, faultOf, isDatabaseAway, isObjectAway } from '#worker/core/errors.ts'
import type { AppEnv } from './app-env.ts'
import { NO_FRAMES } from './headers.ts'

/** Turns an error into a response; no other code does. The error stays in `c.var.fault` for the request's log line. */
export function answerProblem(thrown: unknown, c: Context<AppEnv>): Response {
  const away = 'Adapt cannot do this right now. Please try again in a moment.'
  const isAway = isDatabaseAway(thrown) || isObjectAway(thrown)
  const error = isAway ? new AppError('unavailable', away, { cause: thrown, retryAfterS: AWAY_RETRY_S }) : thrown
  const problem = toProblem(error, c.var.requestId ?? 'unknown')
  // A client's fault is logged by its code alone, because its text may hold the person's own words.
  c.set('fault', problem.status < 500 ? { code: problem.code } : { ...faultOf(thrown), code: problem.code })
  const own = error instanceof AppError ? error.headers : {}
  const always = { 'content-type': 'application/problem+json', 'cache-control': 'no-store', ...NO_FRAMES }
  const headers = new Headers({ ...always, ...own })
  const retryAfterS = error instanceof AppError ? error.retryAfterS : null
  if (retryAfterS !== null) headers.set('retry-after', String(retryAfterS))
  return new Response(JSON.stringify(problem), { status: problem.status, headers })
}

function toProblem(error: unknown, requestId: string): Problem {
  const isListed = error instanceof AppError && error.code in PROBLEMS
  const code = isListed ? (error.code as ProblemCode) : 'internal'
  const detail = isListed ? error.message : 'Something went wrong on our side. Please try again.'
  const { status, title } = PROBLEMS[code]
  const own = isListed ? error.extensions : {}
  return { ...own, type: `about:blank#${code}`, title, status, code, detail, requestId, success: false, error: detail }
}

/** As often as a page that shows a module asks anyway. */
const AWAY_RETRY_S = 5
