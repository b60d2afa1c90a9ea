import { EventSourceParserStream } from 'eventsource-parser/stream'
import { z } from 'zod'
import { ANSWER_UNWATCHED_MS } from '#contract/limits.ts'
import {
  type AnswerMeta,
  Conversation,
  type SpokenQuestion,
  StreamError,
  StreamMeta,
  TutorAnswerBody,
  type TutorQuestion,
} from '#contract/tutor.ts'
import * as m from '#messages'
import type { CallApi } from '#web/lib/api.ts'
import { ApiError } from '#web/lib/api-error.ts'

interface StreamListener {
  /** The whole text so far. It starts from its first piece where a broken stream was resumed. */
  onText: (text: string) => void
  signal: AbortSignal
}

interface AnswerListener extends StreamListener {
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
    return await readOpened(await calls.open(question, signal), listener)
  } catch (error) {
    if (signal.aborted || !canBeAskedWhole(error)) throw error
    const resumed = error instanceof BrokenStream ? await takeUp(calls, question.turnId, listener) : null
    return resumed ?? calls.askWhole(question, signal)
  }
}

/** An answer that is already being given. @throws {ApiError} `not_found` where none is */
export async function followAnswer(calls: TutorCalls, turnId: string, listener: AnswerListener): Promise<StreamMeta> {
  return readOpened(await calls.resume(turnId, listener.signal), listener)
}

function readOpened(stream: AnswerStream, listener: AnswerListener): Promise<StreamMeta> {
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

export function wait(ms: number): Promise<void> {
  return new Promise((done) => setTimeout(done, ms))
}

/** The line went before the answer was whole. */
export class BrokenStream extends Error {
  override readonly name = 'BrokenStream'
}

/** The server itself says that there will be no answer. */
export class RefusedAnswer extends Error {
  override readonly name = 'RefusedAnswer'
}

/** The learner has stopped the answer, on this page or on another. */
export class StoppedAnswer extends Error {
  override readonly name = 'StoppedAnswer'
}

const END = '[DONE]'

/**
 * Reads an answer piece by piece (specification §7).
 * @throws {BrokenStream | RefusedAnswer | StoppedAnswer}
 */
export async function readAnswerStream(body: AnswerStream, { onText, signal }: StreamListener): Promise<StreamMeta> {
  const silence = openDeadline(signal)
  const events = body
    .pipeThrough(new TextDecoderStream())
    .pipeThrough(new EventSourceParserStream({ onComment: silence.renew }))
    .getReader()
  let text = ''
  let whole: StreamMeta | null = null
  try {
    for (;;) {
      const { done, value } = await Promise.race([events.read(), silence.isOver])
      if (done || value.data === END) break
      silence.renew()
      const piece = readPiece(value.data)
      if (typeof piece !== 'string') whole = piece ?? whole
      else onText((text += piece))
    }
  } catch (error) {
    if (error instanceof RefusedAnswer || error instanceof StoppedAnswer) throw error
    // not-shown: for developers.
    if (whole === null) throw new BrokenStream('The line was cut', { cause: error })
  } finally {
    silence.end()
    void events.cancel().catch(() => undefined)
  }
  // not-shown: for developers.
  if (whole === null) throw new BrokenStream('The answer has no end')
  return whole
}

/** Unknown events are ignored. */
function readPiece(data: string): string | StreamMeta | null {
  const value = parseJson(data)
  if (typeof value === 'string') return value
  const end = StreamError.safeParse(value).data
  if (end?.code === 'answer_stopped') throw new StoppedAnswer(end.error)
  if (end !== undefined) throw new RefusedAnswer(end.error)
  return StreamMeta.safeParse(value).data ?? null
}

function parseJson(data: string): unknown {
  try {
    return JSON.parse(data)
  } catch {
    // A newer server may send more than this page knows of.
    return undefined
  }
}

/** Treats a stream as broken when no event arrives for {@link ANSWER_UNWATCHED_MS}. */
function openDeadline(signal: AbortSignal) {
  let timer: ReturnType<typeof setTimeout> | undefined
  const { promise: isOver, reject: giveUp } = Promise.withResolvers<never>()
  isOver.catch(() => undefined)
  // not-shown: for developers.
  signal.addEventListener('abort', () => giveUp(new Error('The reader was aborted')))
  function renew() {
    clearTimeout(timer)
    timer = setTimeout(
      // not-shown: for developers.
      () => giveUp(new Error(`No event for ${ANSWER_UNWATCHED_MS} ms`)),
      ANSWER_UNWATCHED_MS,
    )
  }
  renew()
  return { isOver, renew, end: () => clearTimeout(timer) }
}

type AnswerStream = ReadableStream<Uint8Array<ArrayBuffer>>

const ASK = '/api/ai/contextual-response'
const Stream = z.instanceof(ReadableStream) as z.ZodType<AnswerStream>

export type TutorCalls = ReturnType<typeof makeTutorCalls>

/** What the page asks of the server, for one module. */
export function makeTutorCalls(callApi: CallApi, moduleId: string) {
  const id = encodeURIComponent(moduleId)
  const conversation = `/api/ai/conversation/${id}`
  return {
    async readConversation(signal: AbortSignal) {
      return (await callApi({ path: conversation, schema: Conversation, signal })).messages
    },
    /** Asks, and is answered piece by piece. */
    open: (body: TutorQuestion, signal: AbortSignal) =>
      callApi({ path: `${ASK}/stream`, method: 'POST', body, answer: 'stream', schema: Stream, signal }),
    /** Resumes a running answer, from its first piece. */
    resume: (turnId: string, signal: AbortSignal) =>
      callApi({ path: `${ASK}/stream/${id}/${turnId}`, answer: 'stream', schema: Stream, signal }),
    /** Asks, and is answered at once. */
    askWhole: (body: TutorQuestion, signal: AbortSignal) =>
      callApi({ path: ASK, method: 'POST', body, schema: TutorAnswerBody, signal }),
    /** The way of spoken questions. */
    async askSpoken(body: SpokenQuestion, signal: AbortSignal) {
      return readSpokenAnswer(await callApi({ path: '/api/qa/ask', method: 'POST', body, schema: z.unknown(), signal }))
    },
    stop(turnId: string) {
      const body = { moduleId, turnId }
      return callApi({ path: `${ASK}/stop`, method: 'POST', body, schema: z.unknown(), keepalive: true })
    },
    forget: () => callApi({ path: conversation, method: 'DELETE', schema: z.unknown() }),
  }
}

/** What is shown where the voice path has no answer. @see specification §8 */
export const NO_ANSWER = m.no_answer_returned()

const Bare = z.object({ answer: z.string() })
const Wrapped = z.object({ data: Bare })

/** Reads `answer` or `data.answer` (specification §7). `meta` is null where the server sends only the text. */
function readSpokenAnswer(value: unknown): { text: string; meta: AnswerMeta | null } {
  const whole = TutorAnswerBody.safeParse(value).data
  const text = whole?.answer ?? Bare.safeParse(value).data?.answer ?? Wrapped.safeParse(value).data?.data.answer ?? ''
  return text.trim() === '' ? { text: NO_ANSWER, meta: null } : { text, meta: whole ?? null }
}
