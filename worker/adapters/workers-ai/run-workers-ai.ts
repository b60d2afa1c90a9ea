import { AppError, type AppErrorCode } from '#worker/errors.ts'
import { withDeadline } from '../with-deadline.ts'

interface Run {
  model: string
  inputs: Record<string, unknown>
  timeoutMs: number
  signal: AbortSignal
  /** Who is called, for messages: "The speech service". */
  who: string
}

/** Workers AI's internal codes (developers.cloudflare.com/workers-ai/platform/errors) and what they ask of us. */
const CODES: Record<string, AppErrorCode> = {
  '3006': 'ai_too_large',
  '3007': 'ai_timeout',
  '3008': 'ai_timeout',
  '3036': 'ai_quota',
  '3040': 'ai_busy',
}
/** The same faults told without a code, or with the HTTP status that goes with them. */
const WORDS: [RegExp, AppErrorCode][] = [
  [/neurons|daily free allocation/i, 'ai_quota'],
  [/capacity|too many requests|rate limit|\b429\b/i, 'ai_busy'],
  [/request is too large|\b413\b/i, 'ai_too_large'],
  [/timed? ?out|\b408\b/i, 'ai_timeout'],
  [/network connection lost|internal server error|\b50[0-3]\b/i, 'ai_busy'],
]
const MESSAGES: Partial<Record<AppErrorCode, string>> = {
  ai_busy: 'is out of capacity for the moment.',
  ai_quota: 'has used up its quota for today. Process again after 00:00 UTC.',
  ai_too_large: 'refused the request as too large.',
  ai_timeout: 'took too long.',
  ai_failed: 'failed.',
}

function codeOf(message: string): AppErrorCode {
  const code = /^(?:\w*Error:?\s*)*(\d{4})\b/.exec(message)?.[1] ?? ''
  return CODES[code] ?? WORDS.find(([words]) => words.test(message))?.[1] ?? 'ai_failed'
}

function toAppError(error: unknown, who: string): AppError {
  if (error instanceof AppError) return error
  const code = codeOf(error instanceof Error ? error.message : String(error))
  return new AppError(code, `${who} ${MESSAGES[code]}`, { cause: error })
}

/**
 * Runs a model of Workers AI.
 * @throws {AppError} `ai_busy`, `ai_quota`, `ai_too_large`, `ai_timeout`, `ai_failed`
 */
export function runWorkersAi(ai: Ai, { model, inputs, ...deadline }: Run): Promise<unknown> {
  return withDeadline(deadline, async (signal) => {
    try {
      // The types of a known model fit neither the audio container nor an answer that may be anything.
      return (await (ai as Pick<Ai<Record<never, never>>, 'run'>).run(model, inputs, { signal })) as unknown
    } catch (error) {
      throw toAppError(error, deadline.who)
    }
  })
}
