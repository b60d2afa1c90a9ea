import { EventSourceParserStream } from 'eventsource-parser/stream'
import { ANSWER_UNWATCHED_MS } from '#contract/limits.ts'
import { StreamError, StreamMeta } from '#contract/tutor.ts'

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

export interface StreamListener {
  /** The whole text so far. */
  onText: (text: string) => void
  signal: AbortSignal
}

/**
 * Reads an answer piece by piece (specification §7).
 * @throws {BrokenStream | RefusedAnswer | StoppedAnswer}
 */
export async function readAnswerStream(
  body: ReadableStream<Uint8Array<ArrayBuffer>>,
  { onText, signal }: StreamListener,
): Promise<StreamMeta> {
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
    if (whole === null) throw new BrokenStream('The line was cut', { cause: error })
  } finally {
    silence.end()
    void events.cancel().catch(() => undefined)
  }
  if (whole === null) throw new BrokenStream('The answer has no end')
  return whole
}

/** What is not ours is passed over. */
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
  let giveUp = (_error: Error) => {}
  const isOver = new Promise<never>((_, reject) => {
    giveUp = reject
  })
  isOver.catch(() => undefined)
  signal.addEventListener('abort', () => giveUp(new Error('The reader was aborted')))
  function renew() {
    clearTimeout(timer)
    timer = setTimeout(() => giveUp(new Error(`No event for ${ANSWER_UNWATCHED_MS} ms`)), ANSWER_UNWATCHED_MS)
  }
  renew()
  return { isOver, renew, end: () => clearTimeout(timer) }
}
