import { nanoid } from 'nanoid'
import { ANSWER_DEADLINE_MS } from '#contract/limits.ts'
import { type ModuleRole, seesDraft } from '#contract/module.ts'
import {
  ANSWER_BROKEN,
  ANSWER_STOPPED,
  type ChatMessage,
  type LinkQuestion,
  type StreamError,
  type StreamMeta,
  type TutorAnswerBody,
  type TutorQuestion,
} from '#contract/tutor.ts'
import type { Context } from '#worker/core/context.ts'
import { AppError } from '#worker/core/errors.ts'
import { roomOf } from '#worker/domain/live/publish.ts'
import type { ModuleRow } from '#worker/domain/module/module-store.ts'
import { toIso } from '#worker/domain/to-iso.ts'
import { currentTrace } from '#worker/log/log.ts'
import { type AnsweredTurn, type IndexOf, indexOf, type Turn } from './answer-turn.ts'
import { breakTurns, endTurn, findTurn, listTurns, removeTurns, type TurnKey, type TurnRow } from './turn-store.ts'

interface AskedBy {
  module: ModuleRow
  userId: string
  role: ModuleRole
  nowMs: number
}

/** A question as the rooms understand it. */
export function readTurn(question: Omit<TutorQuestion, 'moduleId'>, { module, userId, role, nowMs }: AskedBy): Turn {
  const { userMessage, videoTime, turnId } = question
  return {
    moduleId: module.id,
    userId,
    turnId: turnId ?? nanoid(),
    question: userMessage,
    videoTimeMs: videoTime === null || videoTime === undefined ? null : Math.round(videoTime * 1_000),
    stepId: readStepId(question),
    askedAtMs: nowMs,
    // A trainer who tries the tutor is no learner whose question waits for one.
    settledAt: seesDraft(role) ? nowMs : null,
    index: indexOf(module, role),
    linkAnswersPerDay: null,
    requestId: currentTrace().requestId,
  }
}

/** No account has such an id. */
const LINK_USER = 'link'

/** A question by a person with the link, as the rooms understand it. @throws {AppError} unauthenticated where they cannot ask */
export function readLinkTurn(
  { question, stepId, earlier, ...otherFields }: LinkQuestion,
  { module, nowMs }: { module: ModuleRow; nowMs: number },
): Turn {
  const { linkAnswersPerDay } = module
  if (linkAnswersPerDay === null) throw new AppError('unauthenticated', 'Sign in to ask the tutor about this training.')
  const turn = readTurn({ ...otherFields, userMessage: question }, { module, userId: LINK_USER, role: 'viewer', nowMs })
  return { ...turn, stepId: stepId ?? null, linkAnswersPerDay, earlier }
}

/** The step under the playhead, by the id that the page knows it by. */
function readStepId({ currentStep, allSteps }: Pick<TutorQuestion, 'currentStep' | 'allSteps'>): string | null {
  const step = typeof currentStep === 'number' ? allSteps?.[currentStep] : currentStep
  if (typeof step !== 'object' || step === null || !('id' in step)) return null
  return typeof step.id === 'string' ? step.id : null
}

/**
 * Returns the whole answer before the deadline of the request. One that broke off is retried without a model.
 * @throws {AppError} unavailable when there is no answer for now
 */
export async function answerInTime(context: Pick<Context, 'rooms' | 'nowMs'>, turn: Turn): Promise<TutorAnswerBody> {
  let currentTurn = turn
  for (let tries = 0; tries < 2; tries += 1) {
    const leftMs = turn.askedAtMs + ANSWER_DEADLINE_MS - context.nowMs()
    const answered = await roomOf(context, turn.moduleId).waitForAnswer(currentTurn, leftMs)
    if (answered !== null && answered.end !== 'broken') return { success: true, ...presentAnswer(answered) }
    // A person's turn is stored, so no model is asked about it again; one by the link is not.
    if (turn.linkAnswersPerDay !== null) currentTurn = { ...turn, linkAnswersPerDay: 0 }
  }
  throw new AppError('unavailable', 'The tutor cannot answer right now. Please try again in a moment.', {
    retryAfterS: 5,
  })
}

const DONE = 'data: [DONE]\n\n'

/** Writes a piece of an answer, or what ends it, as it stands in the stream. @see specification §7 */
export function writePiece(piece: string | StreamError | StreamMeta): string {
  // JSON has no line breaks of its own, so a value is one line.
  return `data: ${JSON.stringify(piece)}\n\n`
}

/** Writes the end of a stream. @param answered null when the answer broke off */
export function writeEnd(answered: AnsweredTurn | null): string {
  if (answered === null || answered.end === 'broken') return writePiece(ANSWER_BROKEN) + DONE
  return writePiece(answered.end === 'stopped' ? ANSWER_STOPPED : presentAnswer(answered)) + DONE
}

/** The whole answer. */
function presentAnswer({ text, meta, ms }: AnsweredTurn): StreamMeta {
  return { ...meta, ms, answer: text }
}

type ConversationContext = Pick<Context, 'db' | 'd1' | 'rooms' | 'nowMs'>

type Speakers = Omit<TurnKey, 'turnId'>

/**
 * Reads the conversation of one person with a module's tutor, oldest turn first. An unfinished answer that no room is
 * streaming any more is marked as broken here, so that it is not shown as unfinished for ever.
 */
export async function readConversation(context: ConversationContext, speakers: Speakers): Promise<ChatMessage[]> {
  const turns = await listTurns(context.db, speakers)
  if (turns.every(({ end }) => end !== null)) return turns.flatMap((turn) => presentTurn(turn, null))
  const running = await listRunning(context, speakers)
  const lost = turns.filter(({ end, turnId }) => end === null && !running.has(turnId))
  // Some of them may have ended since they were read, which this does not touch.
  if (lost.length > 0) await breakTurns(context.db, { ids: lost.map(({ id }) => id) }, context.nowMs())
  const now = lost.length > 0 ? await listTurns(context.db, speakers) : turns
  return now.flatMap((turn) => presentTurn(turn, running.get(turn.turnId) ?? null))
}

async function listRunning(context: ConversationContext, { moduleId, userId }: Speakers): Promise<Map<string, string>> {
  const texts = await roomOf(context, moduleId).listAnswers(userId)
  return new Map(texts.map(({ turnId, text }) => [turnId, text]))
}

/** A question, and its answer. */
function presentTurn(turn: TurnRow, textSoFar: string | null): ChatMessage[] {
  const { turnId, end } = turn
  const say = (role: ChatMessage['role'], content: string, atMs: number): ChatMessage => {
    const id = `${turn.id}-${role === 'user' ? 'question' : 'answer'}`
    return { id, turnId, role, content, timestamp: toIso(atMs), isTyping: false, end: null, meta: null }
  }
  const content = end === null ? (textSoFar ?? '') : turn.answer
  const answer = say('assistant', content, turn.endedAt ?? turn.createdAt)
  const meta = end === 'complete' ? turn.meta : null
  return [say('user', turn.question, turn.createdAt), { ...answer, isTyping: end === null, end, meta }]
}

/** Ends whatever is being said, and forgets everything. */
export async function forgetConversation(context: ConversationContext, speakers: Speakers): Promise<void> {
  const running = await listRunning(context, speakers)
  for (const turnId of running.keys()) await roomOf(context, speakers.moduleId).stopAnswer({ ...speakers, turnId })
  await removeTurns(context.db, speakers)
}

/** Ends an answer; one that has ended stays as it is. */
export async function stopAnswer(context: ConversationContext, key: TurnKey): Promise<void> {
  await roomOf(context, key.moduleId).stopAnswer(key)
  const turn = await findTurn(context.db, key)
  if (turn === null || turn.end !== null) return
  await endTurn(context.d1, key, { answer: '', end: 'stopped', endedAt: context.nowMs() })
}

/**
 * Resumes an answer that is being streamed. One whose room was lost is answered once more, without a model.
 * @returns null where none is being given
 */
export async function resumeAnswer(
  context: ConversationContext,
  key: TurnKey,
  index: IndexOf,
): Promise<ReadableStream<Uint8Array> | null> {
  const room = roomOf(context, key.moduleId)
  const running = await room.resumeAnswer(key)
  if (running !== null) return running
  const turn = await findTurn(context.db, key)
  if (turn === null || turn.end !== null) return null
  const { question, videoTimeMs, stepId, settledAt, createdAt: askedAtMs } = turn
  const { requestId } = currentTrace()
  const questionFields = { question, videoTimeMs, stepId, settledAt, askedAtMs, linkAnswersPerDay: null }
  return room.streamAnswer({ ...key, ...questionFields, index, requestId })
}
