import { ANSWER_UNWATCHED_MS } from '#contract/limits.ts'
import type { StreamMeta, TutorQuestion } from '#contract/tutor.ts'
import { ApiError } from '#web/lib/api-error.ts'
import {
  BrokenStream,
  RefusedAnswer,
  readAnswerStream,
  StoppedAnswer,
  type StreamListener,
} from './read-answer-stream.ts'
import type { AnswerStream, TutorCalls } from './tutor-calls.ts'

/** The text starts from its first piece where a broken stream was resumed. */
export interface AnswerListener extends StreamListener {
  /** The server has the question. */
  onOpen: () => void
}

/** Delay between two attempts to resume a broken stream. */
const RETRY_MS = 1_000

type Asked = TutorQuestion & { turnId: string }

/**
 * Gets the answer to a question as a stream. A broken stream is resumed while the server still writes the answer, and
 * otherwise the whole answer is requested. The question's id stays the same, so it is asked once.
 * @throws {ApiError | RefusedAnswer | BrokenStream} when none of it worked; {StoppedAnswer} when the learner stopped it
 */
export async function getAnswer(calls: TutorCalls, question: Asked, listener: AnswerListener): Promise<StreamMeta> {
  const { signal } = listener
  try {
    return await readStream(await calls.open(question, signal), listener)
  } catch (error) {
    if (signal.aborted || !canBeAskedWhole(error)) throw error
    const resumed = error instanceof BrokenStream ? await takeUp(calls, question.turnId, listener) : null
    return resumed ?? calls.askWhole(question, signal)
  }
}

/** An answer that is already being given. @throws {ApiError} `not_found` where none is */
export async function followAnswer(calls: TutorCalls, turnId: string, listener: AnswerListener): Promise<StreamMeta> {
  return readStream(await calls.resume(turnId, listener.signal), listener)
}

function readStream(stream: AnswerStream, listener: AnswerListener): Promise<StreamMeta> {
  listener.onOpen()
  return readAnswerStream(stream, listener)
}

/** Null when the answer can no longer be resumed. */
async function takeUp(calls: TutorCalls, turnId: string, listener: AnswerListener): Promise<StreamMeta | null> {
  const untilMs = Date.now() + ANSWER_UNWATCHED_MS
  while (Date.now() < untilMs) {
    try {
      return await followAnswer(calls, turnId, listener)
    } catch (error) {
      if (listener.signal.aborted || error instanceof StoppedAnswer) throw error
      if (error instanceof RefusedAnswer || (error instanceof ApiError && error.status !== 0)) return null
      await wait(RETRY_MS)
    }
  }
  return null
}

/** A final refusal is not retried: too many questions, a module that is gone. */
function canBeAskedWhole(error: unknown): boolean {
  if (!(error instanceof ApiError)) return error instanceof BrokenStream || error instanceof RefusedAnswer
  return error.status === 0 || error.status >= 500 || error.code === 'bad_answer'
}

function wait(ms: number): Promise<void> {
  return new Promise((done) => setTimeout(done, ms))
}
