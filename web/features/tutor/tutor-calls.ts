import { z } from 'zod'
import {
  type ChatMessage,
  Conversation,
  type SpokenQuestion,
  TutorAnswerBody,
  type TutorQuestion,
} from '#contract/tutor.ts'
import type { CallApi } from '#web/lib/api-context.tsx'
import { readSpokenAnswer, type SpokenAnswer } from './read-spoken-answer.ts'

export type AnswerStream = ReadableStream<Uint8Array<ArrayBuffer>>

/** What the page asks of the server, for one module. */
export interface TutorCalls {
  readConversation(signal?: AbortSignal): Promise<ChatMessage[]>
  /** Asks, and is answered piece by piece. */
  open(question: TutorQuestion, signal: AbortSignal): Promise<AnswerStream>
  /** Resumes a running answer, from its first piece. */
  resume(turnId: string, signal: AbortSignal): Promise<AnswerStream>
  /** Asks, and is answered at once. */
  askWhole(question: TutorQuestion, signal: AbortSignal): Promise<TutorAnswerBody>
  /** The way of spoken questions. */
  askSpoken(question: SpokenQuestion, signal: AbortSignal): Promise<SpokenAnswer>
  stop(turnId: string): Promise<unknown>
  forget(): Promise<unknown>
}

const ASK = '/api/ai/contextual-response'
const Stream = z.instanceof(ReadableStream) as z.ZodType<AnswerStream>

export function makeTutorCalls(callApi: CallApi, moduleId: string): TutorCalls {
  const id = encodeURIComponent(moduleId)
  const conversation = `/api/ai/conversation/${id}`
  return {
    async readConversation(signal) {
      return (await callApi({ path: conversation, schema: Conversation, signal })).messages
    },
    open: (body, signal) =>
      callApi({ path: `${ASK}/stream`, method: 'POST', body, answer: 'stream', schema: Stream, signal }),
    resume: (turnId, signal) =>
      callApi({ path: `${ASK}/stream/${id}/${turnId}`, answer: 'stream', schema: Stream, signal }),
    askWhole: (body, signal) => callApi({ path: ASK, method: 'POST', body, schema: TutorAnswerBody, signal }),
    async askSpoken(body, signal) {
      return readSpokenAnswer(await callApi({ path: '/api/qa/ask', method: 'POST', body, schema: z.unknown(), signal }))
    },
    stop: (turnId) =>
      callApi({
        path: `${ASK}/stop`,
        method: 'POST',
        body: { moduleId, turnId },
        schema: z.unknown(),
        keepalive: true,
      }),
    forget: () => callApi({ path: conversation, method: 'DELETE', schema: z.unknown() }),
  }
}
