import { env } from 'cloudflare:workers'
import { onTestFinished, vi } from 'vitest'

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
 * A language server for the worker under test, until the test ends: the real adapter speaks to it over `fetch`.
 * @param reactions to one question after the other; the last also to all that follow
 */
export function openLanguageServer(...reactions: Reaction[]): ModelCall[] {
  const calls: ModelCall[] = []
  const vars = env as { LANGUAGE_BASE_URL: string; LANGUAGE_SECOND_MODEL: string; LANGUAGE_MODEL: string }
  const before = { ...vars }
  Object.assign(vars, { LANGUAGE_BASE_URL: BASE_URL, LANGUAGE_MODEL: 'large', LANGUAGE_SECOND_MODEL: 'small' })
  const spy = vi.spyOn(globalThis, 'fetch').mockImplementation(async (_url, init) => {
    const reaction = reactions[Math.min(calls.length, reactions.length - 1)]
    const { call, response } = answer(init as RequestInit)
    calls.push(call)
    if (typeof reaction === 'number') return Response.json({ error: { message: 'no' } }, { status: reaction })
    reaction?.(call)
    return response
  })
  onTestFinished(() => {
    spy.mockRestore()
    Object.assign(vars, before)
  })
  return calls
}

function answer({ body, signal }: RequestInit): { call: ModelCall; response: Response } {
  let controller: ReadableStreamDefaultController<Uint8Array> | undefined
  const abort = () => {
    call.isAborted = true
  }
  const stream = new ReadableStream<Uint8Array>({
    start: (own) => {
      controller = own
    },
    cancel: abort,
  })
  const send = (text: string) => controller?.enqueue(encoder.encode(text))
  const call: ModelCall = {
    body: JSON.parse(body as string) as ModelCall['body'],
    isAborted: false,
    say: (token) => send(tokenEvent(token)),
    send: (bytes) => controller?.enqueue(bytes),
    finish: () => {
      send(`${tokenEvent('', 'stop')}data: [DONE]\n\n`)
      controller?.close()
    },
    breakOff: () => controller?.error(new Error('Network connection lost.')),
  }
  signal?.addEventListener('abort', () => {
    abort()
    controller?.error(new Error('aborted'))
  })
  return { call, response: new Response(stream, { headers: { 'content-type': 'text/event-stream' } }) }
}
