import { nanoid } from 'nanoid'
import { ANSWER_DEADLINE_MS } from '#contract/limits.ts'
import type { TutorAnswerBody, TutorQuestion } from '#contract/tutor.ts'
import type { ModuleRow } from '#worker/domain/module/module-store.ts'
import { AppError } from '#worker/errors.ts'
import { currentTrace } from '#worker/log/trace.ts'
import type { Turn } from './answer-turn.ts'
import { indexOf } from './load-index.ts'
import type { TurnKey } from './turn-store.ts'
import { presentAnswer } from './write-stream.ts'

type Rooms = Env['MODULE_ROOM']

/** Who asks about which module, and when. */
interface Asking {
  module: ModuleRow
  userId: string
  nowMs: number
}

/** A question as the rooms understand it. */
export function readTurn(asked: Omit<TutorQuestion, 'moduleId'>, { module, userId, nowMs }: Asking): Turn {
  const { userMessage, videoTime, turnId } = asked
  return {
    moduleId: module.id,
    userId,
    turnId: turnId ?? nanoid(),
    question: userMessage,
    videoTimeMs: videoTime === null || videoTime === undefined ? null : Math.round(videoTime * 1_000),
    stepId: readStepId(asked),
    askedAtMs: nowMs,
    index: indexOf(module),
    requestId: currentTrace().requestId,
  }
}

/** The step under the playhead, by the id that the page knows it by. */
function readStepId({ currentStep, allSteps }: Pick<TutorQuestion, 'currentStep' | 'allSteps'>): string | null {
  const step = typeof currentStep === 'number' ? allSteps?.[currentStep] : currentStep
  if (typeof step !== 'object' || step === null || !('id' in step)) return null
  return typeof step.id === 'string' ? step.id : null
}

/** The answer as a stream of server-sent events. @see specification §7 */
export async function streamAnswer(rooms: Rooms, turn: Turn): Promise<ReadableStream<Uint8Array>> {
  return roomOf(rooms, turn).streamAnswer(turn)
}

/**
 * Returns the whole answer before the deadline of the request. One that broke off is retried without a model.
 * @throws {AppError} unavailable when there is no answer for now
 */
export async function answerInTime(rooms: Rooms, turn: Turn): Promise<TutorAnswerBody> {
  for (let tries = 0; tries < 2; tries += 1) {
    const leftMs = turn.askedAtMs + ANSWER_DEADLINE_MS - Date.now()
    const answered = await roomOf(rooms, turn).waitForAnswer(turn, leftMs)
    if (answered !== null && answered.end !== 'broken') return { success: true, ...presentAnswer(answered) }
  }
  throw new AppError('unavailable', 'The tutor cannot answer right now. Please try again in a moment.', {
    retryAfterS: 5,
  })
}

/** The room that relays the answers about a module; there is one of each, wherever it is asked from. */
export function roomOf(rooms: Rooms, { moduleId }: Pick<TurnKey, 'moduleId'>) {
  return rooms.get(rooms.idFromName(moduleId))
}
