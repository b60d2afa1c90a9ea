import type { ChatMessage } from '#contract/tutor.ts'
import type { Db } from '#worker/db/db.ts'
import { currentTrace } from '#worker/log/trace.ts'
import type { Turn } from './answer-turn.ts'
import { roomOf } from './ask-tutor.ts'
import type { IndexOf } from './load-index.ts'
import { breakTurns, endTurn, findTurn, listTurns, removeTurns, type TurnKey, type TurnRow } from './turn-store.ts'

interface ConversationDeps {
  db: Db
  d1: D1Database
  rooms: Env['MODULE_ROOM']
  nowMs: () => number
}

type Speakers = Omit<TurnKey, 'turnId'>

/**
 * Reads the conversation of one person with a module's tutor, oldest turn first. An unfinished answer that no room is
 * streaming any more is marked as broken here, so that it is not shown as unfinished for ever.
 */
export async function readConversation(deps: ConversationDeps, speakers: Speakers): Promise<ChatMessage[]> {
  const turns = await listTurns(deps.db, speakers)
  if (turns.every(({ end }) => end !== null)) return turns.flatMap((turn) => presentTurn(turn, null))
  const running = await listRunning(deps, speakers)
  const lost = turns.filter(({ end, turnId }) => end === null && !running.has(turnId))
  // Some of them may have ended since they were read, which this does not touch.
  if (lost.length > 0)
    await breakTurns(
      deps.db,
      lost.map(({ id }) => id),
      deps.nowMs(),
    )
  const now = lost.length > 0 ? await listTurns(deps.db, speakers) : turns
  return now.flatMap((turn) => presentTurn(turn, running.get(turn.turnId) ?? null))
}

async function listRunning({ rooms }: ConversationDeps, { moduleId, userId }: Speakers): Promise<Map<string, string>> {
  const texts = await roomOf(rooms, { moduleId }).listAnswers(userId)
  return new Map(texts.map(({ turnId, text }) => [turnId, text]))
}

/** A question, and its answer. */
function presentTurn(turn: TurnRow, textSoFar: string | null): ChatMessage[] {
  const { turnId, end } = turn
  const timestamp = (ms: number) => new Date(ms).toISOString()
  const question: ChatMessage = {
    id: `${turn.id}-question`,
    turnId,
    role: 'user',
    content: turn.question,
    timestamp: timestamp(turn.createdAt),
    isTyping: false,
    end: null,
    meta: null,
  }
  const answer: ChatMessage = {
    id: `${turn.id}-answer`,
    turnId,
    role: 'assistant',
    content: end === null ? (textSoFar ?? '') : turn.answer,
    timestamp: timestamp(turn.endedAt ?? turn.createdAt),
    isTyping: end === null,
    end,
    meta: end === 'complete' ? turn.meta : null,
  }
  return [question, answer]
}

/** Ends whatever is being said, and forgets everything. */
export async function forgetConversation(deps: ConversationDeps, speakers: Speakers): Promise<void> {
  const running = await listRunning(deps, speakers)
  for (const turnId of running.keys()) await roomOf(deps.rooms, speakers).stopAnswer({ ...speakers, turnId })
  await removeTurns(deps.db, speakers)
}

/** Ends an answer; one that has ended stays as it is. */
export async function stopAnswer(deps: ConversationDeps, key: TurnKey): Promise<void> {
  await roomOf(deps.rooms, key).stopAnswer(key)
  const turn = await findTurn(deps.db, key)
  if (turn === null || turn.end !== null) return
  const ended = { answer: '', end: 'stopped', meta: null, answeredBy: 'none', endedAt: deps.nowMs() } as const
  await endTurn(deps.d1, key, ended)
}

/**
 * Resumes an answer that is being streamed. One whose room was lost is answered once more, without a model.
 * @returns null where none is being given
 */
export async function resumeAnswer(
  deps: ConversationDeps,
  key: TurnKey,
  index: IndexOf,
): Promise<ReadableStream<Uint8Array> | null> {
  const room = roomOf(deps.rooms, key)
  const running = await room.resumeAnswer(key)
  if (running !== null) return running
  const turn = await findTurn(deps.db, key)
  if (turn === null || turn.end !== null) return null
  return room.streamAnswer(toTurn(turn, index))
}

function toTurn({ moduleId, userId, turnId, question, videoTimeMs, stepId, createdAt }: TurnRow, index: IndexOf): Turn {
  const { requestId } = currentTrace()
  return { moduleId, userId, turnId, question, videoTimeMs, stepId, askedAtMs: createdAt, index, requestId }
}
