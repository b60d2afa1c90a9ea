import { createParser } from 'eventsource-parser'
import { z } from 'zod'
import { AppError } from '#worker/core/errors.ts'
import { readFault, rejectWith } from '../service/call-service.ts'
import { type ChatRequest, Content, reportUsage, WHO } from './ask-model.ts'

/** Sent in place of a last event. */
const DONE = '[DONE]'
/** A token's event has a few hundred characters; the limit keeps one without an end from filling the memory. */
const MAX_EVENT_CHARS = 1_000_000

const orNull = <Schema extends z.ZodType>(schema: Schema) => schema.nullish().catch(null)

/** One event of either dialect; fields of an undocumented form count as missing. */
const TokenEvent = z.object({
  // Workers AI has been seen to send a token of digits as a number.
  response: orNull(z.union([z.string(), z.number().transform(String)])),
  choices: orNull(
    z.array(z.object({ delta: orNull(z.object({ content: orNull(Content) })), finish_reason: orNull(z.string()) })),
  ),
  usage: z.unknown().optional(),
  error: z.unknown().optional(),
  errors: z.unknown().optional(),
})
type TokenEvent = z.infer<typeof TokenEvent>

/**
 * Reads the tokens of a streamed answer, in the dialect of Workers AI (`response`) or of OpenAI (`choices[].delta`);
 * none is empty. Who stops reading early stops the model too, and so does the signal, at once.
 *
 * Ends without an error only when the model said that it was done: by `[DONE]` or a `finish_reason`. Whatever was
 * given out before an error stands, so a caller keeps it and marks it as partial.
 * @param onUsage is given what an event reports that the call has used
 * @throws {AppError} `ai_failed` when the stream breaks off or holds what is no answer; the code of an error event
 *   inside of it, such as `ai_busy` or `ai_quota`. Stopped by its own signal, a caller gets `ai_failed` too: it asks
 *   the signal.
 */
export async function* readTokenStream(
  stream: ReadableStream<Uint8Array>,
  signal: AbortSignal,
  onUsage?: ChatRequest['onUsage'],
): AsyncGenerator<string, void, undefined> {
  let isFinished = false
  for await (const data of readEvents(stream, signal)) {
    if (data.trim() === DONE) return
    const { choices, response, usage } = parseEvent(data)
    reportUsage({ usage }, onUsage)
    const [choice] = choices ?? []
    const token = choice?.delta?.content ?? response ?? ''
    if (token !== '') yield token
    isFinished ||= (choice?.finish_reason ?? '') !== ''
  }
  // Servers that leave `[DONE]` out exist; one that leaves out both has been cut off.
  if (!isFinished) throw brokenOff()
}

/** The data of each server-sent event. */
async function* readEvents(
  stream: ReadableStream<Uint8Array>,
  signal: AbortSignal,
): AsyncGenerator<string, void, undefined> {
  const events: string[] = []
  const parser = createParser({
    maxBufferSize: MAX_EVENT_CHARS,
    onEvent: ({ data }) => events.push(data),
    onError: (error) => {
      // The standard says to ignore unknown fields.
      if (error.type === 'max-buffer-size-exceeded') throw noAnswer(error)
    },
  })
  const decoder = new TextDecoder()
  const reader = stream.getReader()
  const stopped = rejectWith(signal)
  try {
    for (let isEnd = false; !isEnd; ) {
      const { done, value } = await Promise.race([stopped, reader.read()]).catch((error: unknown) => {
        throw error instanceof AppError ? error : brokenOff(error)
      })
      isEnd = done
      // The last event counts without the blank line that should have ended it.
      parser.feed(done ? `${decoder.decode()}\n\n` : decoder.decode(value, { stream: true }))
      yield* events.splice(0)
    }
  } finally {
    // Not awaited, and without effect on a stream that is at its end. A failed stream rejects the call, and its own
    // failure is thrown already.
    reader.cancel().catch(() => undefined)
  }
}

function parseEvent(data: string): TokenEvent {
  let value: unknown
  try {
    value = JSON.parse(data)
  } catch (error) {
    // Usually this means that the connection ended inside an event.
    throw brokenOff(error)
  }
  const parsed = TokenEvent.safeParse(value)
  if (!parsed.success) throw noAnswer(parsed.error)
  const fault = faultOf(parsed.data)
  if (fault !== '') throw readFault({ reason: fault, who: WHO, cause: new Error(fault) })
  return parsed.data
}

/** An error as text with its code in front; empty when there is none. */
function faultOf({ error, errors }: TokenEvent): string {
  const fault: unknown = error ?? (Array.isArray(errors) ? errors[0] : null)
  if (typeof fault !== 'object' || fault === null) return typeof fault === 'string' ? fault : ''
  const { code, status, type, message } = fault as Record<string, unknown>
  const reason = [code, status, type, message].filter((each) => typeof each === 'string' || typeof each === 'number')
  return reason.join(' ') || 'an error without a message'
}

function brokenOff(cause?: unknown): AppError {
  return new AppError('ai_failed', `${WHO} broke off in the middle of its answer.`, { cause })
}

function noAnswer(cause: unknown): AppError {
  return new AppError('ai_failed', `${WHO} streamed what is no answer.`, { cause })
}
