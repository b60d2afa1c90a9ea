import { AppError } from '#worker/errors.ts'
import { withDeadline } from '../call-service.ts'

/** Where an OpenAI-compatible server is, and what to ask it for. */
export interface OpenAiServer {
  /** With its version: `https://api.openai.com/v1`. */
  baseUrl: string
  /** Empty for a server without keys. */
  apiKey: string
  model: string
  fetch?: typeof fetch
}

interface Call {
  path: string
  body: FormData | string
  timeoutMs: number
  signal: AbortSignal
  /** Who is called, for messages: "The speech service". */
  who: string
}

/** The server refused the form of the request (400 or 422); another form may do. */
export class RefusedForm extends Error {
  readonly body: string

  constructor(status: number, body: string) {
    super(`HTTP ${status}: ${body}`)
    this.name = 'RefusedForm'
    this.body = body
  }
}

/** What goes into logs of an answer; some servers send whole pages. */
const BODY_EXCERPT_CHARS = 500
/** A transcript of 90 s with a time for every word has some 50 kB. What never ends is not to fill the memory. */
const BODY_MAX_BYTES = 8 * 1024 * 1024
const RETRY_AFTER_MAX_S = 3_600
const QUOTA_WORDS = /insufficient_quota|billing_hard_limit|exceeded your current quota|credit balance/i

function readRetryAfter(headers: Headers): number | undefined {
  const value = headers.get('retry-after')
  if (value === null) return undefined
  const seconds = /^\d+(\.\d+)?$/.test(value) ? Number(value) : (Date.parse(value) - Date.now()) / 1000
  return Number.isFinite(seconds) ? Math.min(RETRY_AFTER_MAX_S, Math.max(0, Math.ceil(seconds))) : undefined
}

function toError(response: Response, body: string, who: string): Error {
  const { status } = response
  const cause = new Error(`HTTP ${status}: ${body}`)
  if (status === 400 || status === 422) return new RefusedForm(status, body)
  if (status === 402 || (status === 429 && QUOTA_WORDS.test(body))) {
    return new AppError('ai_quota', `${who} has no quota left. Raise it there, then process again.`, { cause })
  }
  if (status === 429 || (status >= 500 && status !== 501 && status !== 504)) {
    const retryAfterS = readRetryAfter(response.headers)
    return new AppError('ai_busy', `${who} is busy.`, { cause, ...(retryAfterS === undefined ? {} : { retryAfterS }) })
  }
  if (status === 413) return new AppError('ai_too_large', `${who} refused the request as too large.`, { cause })
  if (status === 408 || status === 504) return new AppError('ai_timeout', `${who} took too long.`, { cause })
  if (status === 401 || status === 403) {
    return new AppError('ai_failed', `${who} refused the key (${status}). Check its configuration.`, { cause })
  }
  if (status === 404) {
    return new AppError('ai_failed', `${who} does not know this address or model (404). Check its configuration.`, {
      cause,
    })
  }
  return new AppError('ai_failed', `${who} failed (${status}).`, { cause })
}

function toNetworkError(error: unknown, who: string): Error {
  if (error instanceof AppError || error instanceof RefusedForm) return error
  return new AppError('ai_busy', `${who} cannot be reached.`, { cause: error })
}

async function readBody(response: Response, who: string): Promise<string> {
  let text = ''
  let sizeBytes = 0
  const decoder = new TextDecoder()
  for await (const chunk of (response.body ?? []) as AsyncIterable<Uint8Array>) {
    sizeBytes += chunk.byteLength
    if (sizeBytes > BODY_MAX_BYTES) throw new AppError('ai_failed', `${who} gave an answer without an end.`)
    text += decoder.decode(chunk, { stream: true })
  }
  return text + decoder.decode()
}

function parseBody(text: string, who: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch (error) {
    const cause = new Error(text.slice(0, BODY_EXCERPT_CHARS), { cause: error })
    throw new AppError('ai_failed', `${who} gave an answer that is not JSON.`, { cause })
  }
}

/**
 * Posts to an OpenAI-compatible server and returns its JSON.
 * @throws {AppError} `ai_busy`, `ai_quota`, `ai_too_large`, `ai_timeout`, `ai_failed`
 * @throws {RefusedForm} for 400 and 422
 */
export async function callOpenAi(server: OpenAiServer, call: Call): Promise<unknown> {
  const text = await withDeadline(call, async (signal) => {
    try {
      return await readBody(await post(server, { ...call, signal }), call.who)
    } catch (error) {
      throw toNetworkError(error, call.who)
    }
  })
  return parseBody(text, call.who)
}

/**
 * Posts to an OpenAI-compatible server and returns its answer as a stream. The signal also ends it later.
 * @throws as {@link callOpenAi}
 */
export async function openOpenAiStream(server: OpenAiServer, call: Call): Promise<ReadableStream<Uint8Array>> {
  const response = await withDeadline(call, async () => {
    try {
      return await post(server, call)
    } catch (error) {
      throw toNetworkError(error, call.who)
    }
  })
  return response.body ?? new Blob([]).stream()
}

async function post({ baseUrl, apiKey, ...server }: OpenAiServer, call: Omit<Call, 'timeoutMs'>): Promise<Response> {
  // Called through a function of its own: workerd refuses a `fetch` that is taken from an object.
  const send = server.fetch ?? ((url: string, init: RequestInit) => fetch(url, init))
  const headers = new Headers(apiKey === '' ? {} : { authorization: `Bearer ${apiKey}` })
  const { path, body, signal, who } = call
  if (typeof body === 'string') headers.set('content-type', 'application/json')
  const response = await send(`${baseUrl.replace(/\/+$/, '')}${path}`, { method: 'POST', headers, body, signal })
  if (response.ok) return response
  throw toError(response, (await readBody(response, who)).slice(0, BODY_EXCERPT_CHARS), who)
}
