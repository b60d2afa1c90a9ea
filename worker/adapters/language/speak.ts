import { AppError } from '#worker/errors.ts'
import type { TutorReply } from '#worker/ports/tutor-model.ts'
import { withDeadline } from '../with-deadline.ts'
import { readSentences } from './read-sentences.ts'
import { readTokenStream } from './read-token-stream.ts'

/** An answer is a few sentences; `publishAnswer` cuts off the rest. */
export const ANSWER_MAX_TOKENS = 400
/** The same question shall give the same answer; exactly 0 makes some models repeat themselves. */
export const ANSWER_TEMPERATURE = 0.1

const WHO = 'The language model'
/** Two models that are silent one after the other leave a second of the nine for what the video says itself. */
const FIRST_TOKEN_MS = 4_000
/** Between tokens the slowest model that we plan for takes 30 ms; one that has stopped is stopped. */
const NEXT_TOKEN_MS = 8_000

/** Asks a model; resolves with its server-sent events as soon as there are any. */
export type OpenStream = (signal: AbortSignal) => Promise<ReadableStream<Uint8Array>>

/**
 * Streams a model's answer, sentence by sentence. The model is stopped when the caller aborts or stops reading, and
 * when it is silent for too long.
 * @throws {AppError} `ai_busy`, `ai_quota`, `ai_timeout`, `ai_failed`
 */
export async function* speak(open: OpenStream, signal: AbortSignal): AsyncGenerator<TutorReply, void, undefined> {
  const silence = new AbortController()
  const stop = AbortSignal.any([signal, silence.signal])
  let timer = setTimeout(() => silence.abort(), FIRST_TOKEN_MS)
  const received = () => {
    clearTimeout(timer)
    timer = setTimeout(() => silence.abort(), NEXT_TOKEN_MS)
  }
  try {
    const stream = await withDeadline({ timeoutMs: FIRST_TOKEN_MS, signal, who: WHO }, () => open(stop))
    yield* readSentences(each(readTokenStream(heed(stream, stop)), received))
  } catch (error) {
    if (!silence.signal.aborted) throw error
    throw new AppError('ai_timeout', `${WHO} fell silent.`, { cause: error })
  } finally {
    clearTimeout(timer)
  }
}

/** Ends a source at once, also while it is waited for, and also one that does not listen to its signal. */
function heed(stream: ReadableStream<Uint8Array>, signal: AbortSignal): ReadableStream<Uint8Array> {
  const reader = stream.getReader()
  // A failed source rejects this call; its failure is thrown already.
  const leave = () => void reader.cancel().catch(() => undefined)
  return new ReadableStream({
    start(controller) {
      const stop = () => {
        controller.error(new Error('stopped'))
        leave()
      }
      if (signal.aborted) stop()
      else signal.addEventListener('abort', stop, { once: true })
    },
    async pull(controller) {
      const { done, value } = await reader.read()
      // The caller does not read what arrives after the stop.
      if (signal.aborted) return
      if (done) controller.close()
      else controller.enqueue(value)
    },
    cancel: leave,
  })
}

async function* each(tokens: AsyncIterable<string>, onToken: () => void): AsyncGenerator<string, void, undefined> {
  for await (const token of tokens) {
    onToken()
    yield token
  }
}
