import { AppError, type AppErrorCode } from '#worker/core/errors.ts'

interface Deadline {
  timeoutMs: number
  /** The caller's; when it fires, its reason is thrown as it is. */
  signal: AbortSignal
  /** The name of the service in messages: "The speech service". */
  who: string
}

/**
 * Waits for a call to a service, but not for ever, even when the call ignores its signal.
 * @throws {AppError} `ai_timeout` after `timeoutMs`
 */
export async function withDeadline<Answer>(
  { timeoutMs, signal, who }: Deadline,
  call: (signal: AbortSignal) => Promise<Answer>,
): Promise<Answer> {
  signal.throwIfAborted()
  const timeout = new AbortController()
  const timer = setTimeout(() => timeout.abort(), timeoutMs)
  const either = AbortSignal.any([signal, timeout.signal])
  try {
    return await Promise.race([call(either), rejectWith(either)])
  } catch (error) {
    signal.throwIfAborted()
    if (!timeout.signal.aborted) throw error
    throw new AppError('ai_timeout', `${who} did not answer within ${Math.round(timeoutMs / 1000)} s.`, {
      cause: error,
    })
  } finally {
    clearTimeout(timer)
  }
}

/** A promise that only ever rejects, when a signal fires or has fired: a call or a stream may not heed it. */
export function rejectWith(signal: AbortSignal): Promise<never> {
  const stopped = new Promise<never>((_, reject) => {
    const stop = () => reject(new Error('stopped'))
    if (signal.aborted) stop()
    else signal.addEventListener('abort', stop, { once: true })
  })
  // It may reject after the race is over, which must not become an unhandled rejection.
  stopped.catch(() => undefined)
  return stopped
}

/** Workers AI's internal codes (developers.cloudflare.com/workers-ai/platform/errors) and what they ask of us. */
const CODES: Record<string, AppErrorCode> = {
  '3006': 'ai_too_large',
  '3007': 'ai_timeout',
  '3008': 'ai_timeout',
  '3036': 'ai_quota',
  '3040': 'ai_busy',
}
/** How services say that an account's quota is used up. */
export const QUOTA_WORDS =
  /neurons|daily free allocation|insufficient_quota|billing_hard_limit|exceeded your current quota|credit balance/i
/** The same faults by their wording: without a code, from other servers, or with an HTTP status. */
const WORDS: [RegExp, AppErrorCode][] = [
  [QUOTA_WORDS, 'ai_quota'],
  [/capacity|too many requests|rate.?limit|overloaded|\b429\b/i, 'ai_busy'],
  [/request is too large|\b413\b/i, 'ai_too_large'],
  [/timed? ?out|\b408\b/i, 'ai_timeout'],
  [/network connection lost|internal.server.error|\b50[0-3]\b/i, 'ai_busy'],
]
const MESSAGES: Partial<Record<AppErrorCode, string>> = {
  ai_busy: 'is out of capacity for the moment.',
  ai_quota: 'has used up its quota for today. Process again after 00:00 UTC.',
  ai_too_large: 'refused the request as too large.',
  ai_timeout: 'took too long.',
  ai_failed: 'failed.',
}

interface Fault {
  /** The service's own words. */
  reason: string
  /** The service that failed, for messages: "The language model". */
  who: string
  cause: unknown
}

/** Finds the error code for a message of a model or its platform; `ai_failed` for an unknown one. */
export function readFault({ reason, who, cause }: Fault): AppError {
  const number = /(?:^|Error:?\s*)(\d{4})\b/.exec(reason)?.[1] ?? ''
  const code = CODES[number] ?? WORDS.find(([words]) => words.test(reason))?.[1] ?? 'ai_failed'
  return new AppError(code, `${who} ${MESSAGES[code]}`, { cause })
}

/** The address, key and model of an OpenAI-compatible server. */
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
  /** Sent in addition to those of the server; none by default. */
  headers?: Record<string, string>
  timeoutMs: number
  signal: AbortSignal
  /** Who is called, for messages: "The speech service". */
  who: string
}

/** The server refused the form of the request (400 or 422); another form may do. */
export class RefusedForm extends AppError {
  readonly body: string

  constructor(who: string, body: string, cause: Error) {
    super('ai_failed', `${who} refused the request.`, { cause })
    this.body = body
  }
}

/** An answer is cut to this in logs, since some servers send whole pages. */
const BODY_EXCERPT_CHARS = 500
/** A transcript of 90 s with a time for every word has some 50 kB; the limit protects the memory. */
const BODY_MAX_BYTES = 8 * 1024 * 1024
const RETRY_AFTER_MAX_S = 3_600

function readRetryAfter(headers: Headers): number | undefined {
  const value = headers.get('retry-after')
  if (value === null) return undefined
  const seconds = /^\d+(\.\d+)?$/.test(value) ? Number(value) : (Date.parse(value) - Date.now()) / 1000
  return Number.isFinite(seconds) ? Math.min(RETRY_AFTER_MAX_S, Math.max(0, Math.ceil(seconds))) : undefined
}

const BUSY: [AppErrorCode, string] = ['ai_busy', 'is busy.']
const NO_QUOTA: [AppErrorCode, string] = ['ai_quota', 'has no quota left. Raise it there, then process again.']
const TOO_SLOW: [AppErrorCode, string] = ['ai_timeout', 'took too long.']
/** What an HTTP status means, in words that follow the name of the service. Above 500 another status is `BUSY`. */
const STATUSES: Record<number, [AppErrorCode, string]> = {
  401: ['ai_failed', 'refused the key (401). Check its configuration.'],
  402: NO_QUOTA,
  403: ['ai_failed', 'refused the key (403). Check its configuration.'],
  404: ['ai_failed', 'does not know this address or model (404). Check its configuration.'],
  408: TOO_SLOW,
  413: ['ai_too_large', 'refused the request as too large.'],
  429: BUSY,
  501: ['ai_failed', 'failed (501).'],
  504: TOO_SLOW,
}

function toError({ status, headers }: Response, body: string, who: string): Error {
  const cause = new Error(`HTTP ${status}: ${body}`)
  if (status === 400 || status === 422) return new RefusedForm(who, body, cause)
  const usual = STATUSES[status] ?? (status >= 500 ? BUSY : (['ai_failed', `failed (${status}).`] as const))
  const [code, sentence] = status === 429 && QUOTA_WORDS.test(body) ? NO_QUOTA : usual
  const retryAfterS = code === 'ai_busy' ? readRetryAfter(headers) : undefined
  return new AppError(code, `${who} ${sentence}`, { cause, retryAfterS })
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

/** Posts to a server, and reads its answer within the same deadline. The signal also ends a later read of the body. */
function reach<Answer>(
  server: OpenAiServer,
  call: Call,
  read: (response: Response) => Answer | Promise<Answer>,
): Promise<Answer> {
  return withDeadline(call, async (signal) => {
    try {
      return await read(await post(server, { ...call, signal }))
    } catch (error) {
      if (error instanceof AppError) throw error
      throw new AppError('ai_busy', `${call.who} cannot be reached.`, { cause: error })
    }
  })
}

/**
 * Posts to an OpenAI-compatible server and returns its JSON.
 * @throws {AppError} `ai_busy`, `ai_quota`, `ai_too_large`, `ai_timeout`, `ai_failed`, which for 400 and 422 is a
 *   {@link RefusedForm}
 */
export async function callOpenAi(server: OpenAiServer, call: Call): Promise<unknown> {
  return parseBody(await reach(server, call, (response) => readBody(response, call.who)), call.who)
}

/**
 * Posts to an OpenAI-compatible server and returns its answer as a stream. The signal also ends it later.
 * @throws as {@link callOpenAi}
 */
export function openOpenAiStream(server: OpenAiServer, call: Call): Promise<ReadableStream<Uint8Array>> {
  return reach(server, call, ({ body }) => body ?? new Blob([]).stream())
}

async function post({ baseUrl, apiKey, ...server }: OpenAiServer, call: Omit<Call, 'timeoutMs'>): Promise<Response> {
  // Called through a function of its own: workerd refuses a `fetch` that is taken from an object.
  const send = server.fetch ?? ((url: string, init: RequestInit) => fetch(url, init))
  const headers = new Headers({ ...call.headers, ...(apiKey !== '' && { authorization: `Bearer ${apiKey}` }) })
  const { path, body, signal, who } = call
  if (typeof body === 'string') headers.set('content-type', 'application/json')
  const response = await send(`${baseUrl.replace(/\/+$/, '')}${path}`, { method: 'POST', headers, body, signal })
  if (response.ok) return response
  throw toError(response, (await readBody(response, who)).slice(0, BODY_EXCERPT_CHARS), who)
}
