import { ApiError } from '#web/lib/api-error.ts'
import type { TurnFailure } from './turn.ts'

/** @see specification §8 */
export const TROUBLE_SENTENCE = "I'm having trouble processing your request right now. Please try again in a moment."

/** How long to wait where the server does not say. */
const DEFAULT_WAIT_S = 30

/** Classifies why a question was not answered. */
export function nameFailure(error: unknown): TurnFailure {
  if (!(error instanceof ApiError)) return { kind: 'trouble' }
  if (error.status === 429) {
    const retryAtMs = Date.now() + (error.retryAfterS ?? DEFAULT_WAIT_S) * 1_000
    return { kind: 'limited', message: error.message, retryAtMs }
  }
  if (error.status === 0 && !navigator.onLine) return { kind: 'offline' }
  return { kind: 'trouble' }
}
