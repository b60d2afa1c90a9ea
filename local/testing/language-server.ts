import { serveModels } from './serve-models.ts'

const BASE_URL = 'http://language.test/v1'

/** One question to the server, and what it does about it. */
export interface ModelCall {
  body: { model: string; stream: boolean; messages: { role: string; content: string }[] }
  /** Whether the caller took its question back, or stopped reading. */
  isAborted: boolean
  /** Sends a token. */
  say(token: string): void
  /** Sends bytes as they are. */
  send(bytes: Uint8Array): void
  /** Says that the answer is whole. */
  finish(): void
  /** Breaks the connection. */
  breakOff(): void
}

/** What the server does with a question: answers with a status, or speaks. */
export type Reaction = number | ((call: ModelCall) => void)

const encoder = new TextEncoder()

/** A token as OpenAI sends it. */
export function tokenEvent(content: string, finish_reason: string | null = null): string {
  return `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content }, finish_reason }] })}\n\n`
}

/**
 * A language server for the worker under test, until the test ends, which the real adapter calls.
 * @param reactions to one question after the other; the last also to all that follow
 */
export function openLanguageServer(...reactions: Reaction[]): ModelCall[] {
  const calls: ModelCall[] = []
  const server = async (_url: unknown, init?: RequestInit) => {
    const reaction = reactions[Math.min(calls.length, reactions.length - 1)]
    const { call, response } = answer(init ?? {})
    calls.push(call)
    if (typeof reaction === 'number') return Response.json({ error: { message: 'no' } }, { status: reaction })
    reaction?.(call)
    return response
  }
  serveModels(server, { LANGUAGE_BASE_URL: BASE_URL, LANGUAGE_MODEL: 'large', LANGUAGE_SECOND_MODEL: 'small' })
  return calls
}

/** How often a connection looks whether it has something to do. */
const LOOK_EVERY_MS = 2

/** What the test wants is done where the worker asked: nothing that belongs to one invocation is touched by another. */
function answer({ body, signal }: RequestInit): { call: ModelCall; response: Response } {
  const wanted: ((controller: ReadableStreamDefaultController<Uint8Array>) => void)[] = []
  const abort = () => {
    call.isAborted = true
    // Ends the polling; the stream has no reader any more.
    wanted.push(() => undefined)
  }
  const stream = new ReadableStream<Uint8Array>({
    async pull(controller) {
      while (wanted.length === 0) await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS))
      wanted.shift()?.(controller)
    },
    cancel: abort,
  })
  const send = (bytes: Uint8Array) => wanted.push((controller) => controller.enqueue(bytes))
  const sendText = (text: string) => send(encoder.encode(text))
  const call: ModelCall = {
    body: JSON.parse(body as string) as ModelCall['body'],
    isAborted: false,
    say: (token) => sendText(tokenEvent(token)),
    send,
    finish: () => {
      sendText(`${tokenEvent('', 'stop')}data: [DONE]\n\n`)
      wanted.push((controller) => controller.close())
    },
    breakOff: () => wanted.push((controller) => controller.error(new Error('Network connection lost.'))),
  }
  signal?.addEventListener('abort', abort)
  return { call, response: new Response(stream, { headers: { 'content-type': 'text/event-stream' } }) }
}
