import { dropTimeMarkers } from '#contract/time-marker.ts'
import type { AnswerMeta, ChatMessage } from '#contract/tutor.ts'

/**
 * `waiting` and `streaming` are being answered; `complete`, `stopped` and `broken` are as far as they got; of `failed`
 * there is no answer at all.
 */
export type TurnState = 'waiting' | 'streaming' | 'complete' | 'stopped' | 'broken' | 'failed'

export type TurnFailure =
  | { kind: 'trouble' }
  | { kind: 'offline' }
  | { kind: 'limited'; message: string; retryAtMs: number }

/** A question with its answer. */
export interface Turn {
  turnId: string
  question: string
  state: TurnState
  text: string
  meta: AnswerMeta | null
  failure: TurnFailure | null
}

const TROUBLE: TurnFailure = { kind: 'trouble' }

export function isRunning({ state }: Pick<Turn, 'state'>): boolean {
  return state === 'waiting' || state === 'streaming'
}

/** What the server keeps of a conversation, turn by turn. */
export function listTurns(messages: readonly ChatMessage[]): Turn[] {
  const answers = new Map(messages.filter(({ role }) => role === 'assistant').map((said) => [said.turnId, said]))
  return messages
    .filter(({ role }) => role === 'user')
    .map(({ turnId, content }) => ({ turnId, question: content, ...readAnswer(answers.get(turnId)) }))
}

function readAnswer(said: ChatMessage | undefined): Omit<Turn, 'turnId' | 'question'> {
  if (said === undefined) return { state: 'failed', text: '', meta: null, failure: TROUBLE }
  const { meta } = said
  const text = dropTimeMarkers(said.content)
  if (said.isTyping) return { state: text === '' ? 'waiting' : 'streaming', text, meta, failure: null }
  if (said.end === 'broken' && text === '') return { state: 'failed', text, meta, failure: TROUBLE }
  return { state: said.end ?? 'broken', text, meta, failure: null }
}

/**
 * Merges the conversation as it is shown: a running answer of this page replaces the stored one, and a complete stored
 * answer replaces one that failed here.
 */
export function mergeTurns(kept: readonly Turn[], own: readonly Turn[]): Turn[] {
  const mine = new Map(own.map((turn) => [turn.turnId, turn]))
  const shown = kept.map((turn) => {
    const live = mine.get(turn.turnId)
    return live !== undefined && (isRunning(live) || !isWhole(turn)) ? live : turn
  })
  const known = new Set(kept.map(({ turnId }) => turnId))
  return [...shown, ...own.filter(({ turnId }) => !known.has(turnId))]
}

function isWhole({ state }: Turn): boolean {
  return state === 'complete' || state === 'stopped'
}
