import { AppError, type AppErrorCode } from '#worker/errors.ts'

interface Deadline {
  timeoutMs: number
  /** The caller's; when it fires, its reason is thrown as it is. */
  signal: AbortSignal
  /** Who is waited for, for the message: "The speech service". */
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
  // What it is raced with may have ended before.
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

/** The failure that a model's or its platform's own words stand for; `ai_failed` when they say nothing known. */
export function readFault({ reason, who, cause }: Fault): AppError {
  const number = /(?:^|Error:?\s*)(\d{4})\b/.exec(reason)?.[1] ?? ''
  const code = CODES[number] ?? WORDS.find(([words]) => words.test(reason))?.[1] ?? 'ai_failed'
  return new AppError(code, `${who} ${MESSAGES[code]}`, { cause })
}
