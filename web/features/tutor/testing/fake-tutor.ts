import { ANSWER_BROKEN, type ChatMessage, type StreamError, type StreamMeta } from '#contract/tutor.ts'
import type { CallApi } from '#web/lib/api.ts'
import { ApiError } from '#web/lib/api-error.ts'

interface FakeCall {
  name: string
  body: Record<string, unknown> | undefined
}

/** A line on which an answer is given by hand. */
export class FakeLine {
  readonly body: ReadableStream<Uint8Array<ArrayBuffer>>
  #controller: ReadableStreamDefaultController<Uint8Array<ArrayBuffer>> | undefined
  readonly #encoder = new TextEncoder()

  constructor() {
    this.body = new ReadableStream({
      start: (controller) => {
        this.#controller = controller
      },
    })
  }

  send(text: string): void {
    this.#controller?.enqueue(this.#encoder.encode(text))
  }

  say(...pieces: string[]): void {
    for (const piece of pieces) this.send(`data: ${JSON.stringify(piece)}\n\n`)
  }

  finish(fields: Partial<StreamMeta> = {}): void {
    this.send(`data: ${JSON.stringify(makeMeta(fields))}\n\ndata: [DONE]\n\n`)
    this.#controller?.close()
  }

  refuse(why: StreamError = ANSWER_BROKEN): void {
    this.send(`data: ${JSON.stringify(why)}\n\ndata: [DONE]\n\n`)
    this.#controller?.close()
  }

  cut(): void {
    this.#controller?.error(new TypeError('network error'))
  }
}

export function makeMeta(fields: Partial<StreamMeta> = {}): StreamMeta {
  return { turnId: 'turn-0001', isCovered: true, citations: [], step: null, ms: 12, answer: 'An answer.', ...fields }
}

export function makeMessages(turnId: string, question: string, answer: Partial<ChatMessage>): ChatMessage[] {
  const timestamp = '2026-11-21T10:00:00.000Z'
  const fields = { turnId, timestamp, isTyping: false, meta: null }
  return [
    { ...fields, id: `${turnId}-q`, role: 'user', content: question, end: null },
    { ...fields, id: `${turnId}-a`, role: 'assistant', content: '', end: 'complete', ...answer },
  ]
}

export const NETWORK_ERROR = new ApiError({ status: 0, code: 'network', message: 'Adapt cannot be reached.' })
export const GONE = new ApiError({ status: 404, code: 'not_found', message: 'Not found' })
export const BROKEN = new ApiError({ status: 503, code: 'unavailable', message: 'Overloaded' })

/** The tutor's server, for module `m1`: every stream waits for the test; an `Error` fails its call. */
export class FakeTutor {
  messages: ChatMessage[] | Error | 'never' = []
  readonly calls: FakeCall[] = []
  readonly lines: FakeLine[] = []
  stream: 'line' | Error = 'line'
  resume: 'line' | Error = GONE
  whole: Partial<StreamMeta> | Error = {}
  spoken: unknown = null
  forgetting: Error | null = null
  transcript: string | Error = ''

  readonly callApi: CallApi = async (call) => {
    const name = `${call.method ?? 'GET'} ${call.path.split('?')[0]}`
    this.calls.push({ name, body: call.body as FakeCall['body'] })
    const answer = this.#answer(name)
    if (answer === 'never') return new Promise(() => {})
    if (answer instanceof Error) throw answer
    call.signal?.throwIfAborted()
    return call.schema.parse(answer)
  }

  /** Of the newest question. */
  get line(): FakeLine {
    const line = this.lines.at(-1)
    if (line === undefined) throw new Error('nothing was asked')
    return line
  }

  bodiesOf(name: string): FakeCall['body'][] {
    return this.calls.filter((call) => call.name === name).map(({ body }) => body)
  }

  #answer(name: string): unknown {
    if (name === 'GET /api/ai/conversation/m1') {
      return this.messages instanceof Error || this.messages === 'never'
        ? this.messages
        : { success: true, messages: this.messages }
    }
    if (name === 'DELETE /api/ai/conversation/m1') {
      if (this.forgetting !== null) return this.forgetting
      this.messages = []
    }
    if (name === 'POST /api/ai/contextual-response/stream') return this.#open(this.stream)
    if (name.startsWith('GET /api/ai/contextual-response/stream/m1/')) return this.#open(this.resume)
    if (name === 'POST /api/ai/contextual-response') {
      return this.whole instanceof Error ? this.whole : { success: true, ...makeMeta(this.whole) }
    }
    if (name === 'POST /api/qa/ask') return this.spoken
    if (name === 'POST /api/qa/transcribe') {
      return this.transcript instanceof Error ? this.transcript : { success: true, text: this.transcript }
    }
    return { success: true }
  }

  #open(outcome: 'line' | Error): unknown {
    if (outcome instanceof Error) return outcome
    const line = new FakeLine()
    this.lines.push(line)
    return line.body
  }
}
