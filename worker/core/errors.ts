import { DrizzleQueryError } from 'drizzle-orm'
import type { FailureCode } from '#contract/module.ts'
import { PROBLEMS, type ProblemCode } from '#contract/problem.ts'

/** Failures inside the pipeline that never reach a client as HTTP, and whether a later retry can succeed. */
const JOB_CODES = {
  ai_busy: true,
  ai_timeout: true,
  ai_failed: true,
  ai_quota: false,
  ai_too_large: false,
  /** The recogniser cannot decode the audio as it came; another container may do. */
  ai_refused_audio: false,
  no_recogniser: false,
  /** The module cannot become READY; `failure` says why. */
  module_failed: false,
} as const

type JobCode = keyof typeof JOB_CODES
/** Why an expected failure happened: a code that clients get, or one that only a job meets. */
export type AppErrorCode = ProblemCode | JobCode

interface AppErrorOptions {
  cause?: unknown
  /** With `module_failed`: the cause that the module is to end with. */
  failure?: FailureCode
  /** How long to wait before a retry, in seconds. */
  retryAfterS?: number
  /** With `ai_busy`: our own pace refused the call, so nothing is known of the model. */
  isPaced?: boolean
  /** With `ai_quota`: our own limit refused the call, so the model was not asked. */
  isUnasked?: boolean
  /** With `ai_busy`: the service is being prepared, and takes calls afterwards. */
  isPreparing?: boolean
  /** Headers of the answer, such as `content-range`. */
  headers?: Record<string, string>
  /** Extension members of the problem document (RFC 9457 §3.2). */
  extensions?: Record<string, unknown>
}

/** An expected failure. `message` is written for the person who reads it: what happened and what to do. */
export class AppError extends Error {
  readonly code: AppErrorCode
  readonly failure: FailureCode | null
  readonly retryAfterS: number | null
  readonly isPaced: boolean
  readonly isUnasked: boolean
  readonly isPreparing: boolean
  readonly headers: Readonly<Record<string, string>>
  readonly extensions: Readonly<Record<string, unknown>>

  constructor(code: AppErrorCode, message: string, options: AppErrorOptions = {}) {
    super(message, { cause: options.cause })
    this.name = 'AppError'
    this.code = code
    this.failure = options.failure ?? null
    this.retryAfterS = options.retryAfterS ?? null
    this.isPaced = options.isPaced ?? false
    this.isUnasked = options.isUnasked ?? false
    this.isPreparing = options.isPreparing ?? false
    this.headers = options.headers ?? {}
    this.extensions = options.extensions ?? {}
  }
}

/** Whether a later retry can succeed. For unknown errors it can: most are a lost connection. */
export function isRetryable(error: unknown): boolean {
  if (!(error instanceof AppError)) return true
  if (error.code in JOB_CODES) return JOB_CODES[error.code as JobCode]
  return PROBLEMS[error.code as ProblemCode].status >= 500
}

/** What D1 says when the same call may succeed a moment later (D1, "Debug", list of errors). */
const DATABASE_AWAY = /Network connection lost|overloaded|object to be reset|its code was updated|transient issue/

/**
 * Whether the database could not be reached for now. The write may have succeeded all the same, so a retry reads first
 * or is idempotent.
 */
export function isDatabaseAway(error: unknown): boolean {
  if (error instanceof AppError) return false
  const [, reason = ''] = describeError(error).split('D1_ERROR: ', 2)
  return DATABASE_AWAY.test(reason.split('\n', 1)[0] ?? '')
}

/**
 * Whether a Durable Object could not take a call for now; the runtime marks such errors (Durable Objects, "Error
 * handling"). A new stub may work a moment later.
 */
export function isObjectAway(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const { overloaded, retryable } = error as { overloaded?: unknown; retryable?: unknown }
  return overloaded === true || retryable === true
}

/** Describes an error for logs, without the parameters of a failed query, which may hold what users wrote or said. */
export function describeError(error: unknown): string {
  if (error instanceof AppError) return `${error.code}: ${error.message}${describeCause(error)}`
  if (error instanceof DrizzleQueryError) return `${error.query}: ${describeError(error.cause)}`
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}

/** A model's own words may repeat its input, so only its error number is shown. */
function describeCause({ code, cause }: AppError): string {
  if (cause === undefined) return ''
  if (code === 'unavailable') return ` Because of ${describeError(cause)}`
  if (!code.startsWith('ai_')) return ''
  const statusCode = cause instanceof Error ? /\b[345]\d{2,3}\b/.exec(cause.message)?.[0] : undefined
  return statusCode === undefined ? '' : ` (${statusCode})`
}

/** Returns the fields of a log line about a failure: a code to filter by, and the cause in words. */
export function faultOf(error: unknown): { code: string; cause: string } {
  return { code: codeOf(error), cause: describeError(error) }
}

/** Of the unexpected codes, `internal` is a bug; the other two failures pass by themselves. */
function codeOf(error: unknown): string {
  if (error instanceof AppError) return error.code
  if (isDatabaseAway(error)) return 'database_away'
  return isObjectAway(error) ? 'object_away' : 'internal'
}

/** Rejects as soon as a signal is aborted. Where that is never waited for, nothing happens. @throws {AppError} ai_timeout */
export function untilAborted(signal: AbortSignal, describe: () => string): Promise<never> {
  const { promise, reject } = Promise.withResolvers<never>()
  const stop = () => reject(new AppError('ai_timeout', describe()))
  if (signal.aborted) stop()
  else signal.addEventListener('abort', stop, { once: true })
  promise.catch(() => undefined)
  return promise
}
