import type { AppErrorCode } from '#worker/core/errors.ts'

/** Faults as developers.cloudflare.com/workers-ai/platform/errors lists them, and as the binding words them. */
export const DOCUMENTED_FAULTS: [string, AppErrorCode][] = [
  ['3003: Bad input: must have required property audio', 'ai_failed'],
  ['3006: Request is too large', 'ai_too_large'],
  ['3007: Request timeout', 'ai_timeout'],
  ['3008: Request aborted', 'ai_timeout'],
  ['3023: This model is blocked for your account', 'ai_failed'],
  ['3036: You have used up your daily free allocation of 10,000 neurons', 'ai_quota'],
  ['3040: Capacity temporarily exceeded, please try again.', 'ai_busy'],
  ['3041: This account is not allowed to access this model', 'ai_failed'],
  ['5004: Invalid data for base64', 'ai_failed'],
  ['5007: No such model @cf/openai/whisper-9 or task', 'ai_failed'],
  ['5018: This account is not allowed to access this model', 'ai_failed'],
]
