import { createContext, use } from 'react'
import type { z } from 'zod'
import { REQUEST_TIMEOUT_MS } from '#contract/limits.ts'
import { Problem, type Quota, QuotaReached } from '#contract/problem.ts'
import * as m from '#messages'
import { ApiError } from './api-error.ts'
import { formatUsd } from './format/format-usd.ts'
import { sayProblem } from './say-problem.ts'

/** How much of an unknown failure's body is shown. @see specification §8 */
const BODY_EXCERPT_CHARS = 120

interface ApiCall<Schema extends z.ZodType> {
  path: string
  /** Every answer is parsed with the contract's schema; one that does not fit is a failure. */
  schema: Schema
  method?: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE'
  /** Sent as JSON. */
  body?: unknown
  /** Sent as it is, instead of `body`. */
  file?: { content: Blob | string; contentType: string }
  /** Bearer token; null for a public call. */
  token?: string | null
  signal?: AbortSignal | undefined
  timeoutMs?: number
  /**
   * `file`: the schema is given the answer as a `Blob`, whatever is in it. `stream`: as a `ReadableStream`, as soon as
   * it begins; from then on only the caller's own signal ends it.
   */
  answer?: 'json' | 'file' | 'stream'
  /** Goes on where the page is left; for bodies of less than 64 kB. */
  keepalive?: boolean
}

/**
 * Calls Adapt's API.
 * @throws {ApiError} for everything but the caller's own abort, which keeps its `AbortError`.
 */
export async function callApi<Schema extends z.ZodType>(call: ApiCall<Schema>): Promise<z.output<Schema>> {
  const deadline = new AbortController()
  const timeout = deadline.signal
  const timer = setTimeout(() => deadline.abort(), call.timeoutMs ?? REQUEST_TIMEOUT_MS)
  try {
    const response = await fetch(call.path, {
      method: call.method ?? 'GET',
      headers: requestHeaders(call),
      body: call.file ? call.file.content : call.body === undefined ? null : JSON.stringify(call.body),
      credentials: 'same-origin',
      keepalive: call.keepalive ?? false,
      signal: call.signal ? AbortSignal.any([call.signal, timeout]) : timeout,
    })
    if (call.answer === 'file' && response.ok) return call.schema.parse(await response.blob())
    if (call.answer === 'stream' && response.ok) return call.schema.parse(response.body)
    return readAnswer(call.schema, response, await response.text())
  } catch (error) {
    if (error instanceof ApiError || call.signal?.aborted) throw error
    throw unansweredError(timeout)
  } finally {
    clearTimeout(timer)
  }
}

function requestHeaders<Schema extends z.ZodType>(call: ApiCall<Schema>): Headers {
  const headers = new Headers({ accept: call.answer === 'stream' ? 'text/event-stream' : 'application/json' })
  if (call.token) headers.set('authorization', `Bearer ${call.token}`)
  if (call.file) headers.set('content-type', call.file.contentType)
  else if (call.body !== undefined) headers.set('content-type', 'application/json')
  return headers
}

function unansweredError(timeout: AbortSignal): ApiError {
  if (timeout.aborted) return new ApiError({ status: 0, code: 'timeout', message: m.request_timeout() })
  const message = m.adapt_cannot_be_reached_check()
  return new ApiError({ status: 0, code: 'network', message })
}

function readAnswer<Schema extends z.ZodType>(schema: Schema, response: Response, text: string): z.output<Schema> {
  const value = parseJson(text)
  if (!response.ok) throw failedError(response, text, value)
  const answer = schema.safeParse(value)
  if (answer.success) return answer.data
  const message = value === undefined ? m.unexpected_response_not_json() : m.unexpected_response_not_what_was()
  throw new ApiError({ status: response.status, code: 'bad_answer', message })
}

function failedError({ status, headers }: Response, text: string, value: unknown): ApiError {
  const retryAfterS = Number(headers.get('retry-after')) || null
  const problem = Problem.safeParse(value)
  if (problem.success) {
    const { code, requestId } = problem.data
    const sentence = sayProblem(problem.data)
    // The reader cannot fix an internal error; with the reference, an operator finds its log line.
    const reference = code === 'internal' ? `. ${m.reference({ requestId })}` : ''
    const message = `${sentence} (HTTP ${status}${reference})`
    return new ApiError({ status, code, message, sentence, requestId, retryAfterS, body: value })
  }
  const sentence = status >= 500 ? m.the_server_could_not_answer() : m.the_server_refused_this()
  const bodyExcerpt = text.slice(0, BODY_EXCERPT_CHARS).trim()
  const message = `${sentence} (HTTP ${status}${bodyExcerpt && `: ${bodyExcerpt}`})`
  return new ApiError({ status, code: 'http', message, sentence, retryAfterS, body: value })
}

/** Undefined (which JSON cannot hold) when the text is not JSON. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The API as the current visitor calls it: the token is already bound. */
export type CallApi = <Schema extends z.ZodType>(call: Omit<ApiCall<Schema>, 'token'>) => Promise<z.output<Schema>>

/** Without a provider (the share page) calls are public. */
export const ApiContext = createContext<CallApi>((call) => callApi(call))

export function useApi(): CallApi {
  return use(ApiContext)
}

/** Account of the person who is signed in, for what a browser keeps of each; null for strangers. */
export const PersonContext = createContext<string | null>(null)

export function usePerson(): string | null {
  return use(PersonContext)
}

/** Whether Clerk asks for the password of the person who is signed in, above all else that is on the screen. */
export const PasswordAskedContext = createContext(false)

export function useIsPasswordAsked(): boolean {
  return use(PasswordAskedContext)
}

/** Whether the person who is signed in belongs to an organization, active or not. */
export const MembershipContext = createContext(false)

export function useIsMember(): boolean {
  return use(MembershipContext)
}

/** Which limit of the day a call has met and when it opens again, by the person's own clock; null for other failures. */
export function quotaSentence(error: Error): string | null {
  const reached = QuotaReached.safeParse(error instanceof ApiError ? error.body : undefined)
  return reached.success ? sayReached(reached.data.quota) : null
}

/** Says that a limit of the day is reached and when it opens again, by the person's own clock. */
export function sayReached(quota: Quota): string {
  const opensAt = new Date(quota.opensAt)
  const day = opensAt.toLocaleDateString(m.language_tag(), { weekday: 'long' })
  const time = opensAt.toLocaleTimeString(m.language_tag(), { timeStyle: 'short' })
  return sayQuota(quota, m.quota_opens_on_day({ day, time }))
}

const HOLDERS = {
  user: m.holder_user(),
  organization: m.holder_organization(),
  owner: m.holder_owner(),
  everyone: m.holder_everyone(),
} as const satisfies Record<Quota['of'], string>

/** The same as `describeQuota` of contract/problem.ts says, in the language of the page. */
function sayQuota({ kind, of, limit }: Quota, opens: string): string {
  return m.quota_reached_until({ holder: HOLDERS[of], amount: sayLimit(kind, limit), opens })
}

function sayLimit(kind: Quota['kind'], limit: number): string {
  const formattedLimit = limit.toLocaleString(m.language_tag())
  if (kind === 'ai') return m.quota_ai({ usd: formatUsd(limit) })
  if (kind === 'rows') return m.quota_rows({ shown: formattedLimit })
  if (kind === 'bytes') {
    const size = (limit / 1024 ** 3).toLocaleString(m.language_tag(), { maximumFractionDigits: 1 })
    return m.quota_bytes({ size })
  }
  const say = {
    feedback: m.quota_feedback,
    questions: m.quota_questions,
    runs: m.quota_runs,
    photos: m.photos_count,
    modules: m.quota_modules,
    minutes: m.quota_minutes,
  }[kind]
  return say({ count: limit, shown: formattedLimit })
}
