import type { AnswerMeta } from '#contract/tutor.ts'

/**
 * `waiting` and `streaming` are being answered; `complete`, `stopped` and `broken` are as far as they got; of `failed`
 * there is no answer at all.
 */
export type TurnState = 'waiting' | 'streaming' | 'complete' | 'stopped' | 'broken' | 'failed'

export type TurnFailure =
  | { kind: 'trouble' }
  | { kind: 'offline' }
  | { kind: 'limited'; message: string; retryAtMs: number }

export interface Turn {
  turnId: string
  question: string
  state: TurnState
  text: string
  meta: AnswerMeta | null
  failure: TurnFailure | null
}

export function isRunning({ state }: Pick<Turn, 'state'>): boolean {
  return state === 'waiting' || state === 'streaming'
}

/** @see specification §8 */
export const TROUBLE_SENTENCE = "I'm having trouble processing your request right now. Please try again in a moment."
