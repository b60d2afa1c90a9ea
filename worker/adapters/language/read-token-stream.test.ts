import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { AppError } from '#worker/core/errors.ts'
import { readTokenStream } from './read-token-stream.ts'

const encoder = new TextEncoder()
const live = () => new AbortController().signal

function streamOf(...chunks: (string | Uint8Array)[]): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(typeof chunk === 'string' ? encoder.encode(chunk) : chunk)
      controller.close()
    },
  })
}

/** What was given out, and the failure that it ended with. */
async function read(stream: ReadableStream<Uint8Array>): Promise<{ tokens: string[]; failure: unknown }> {
  const tokens: string[] = []
  try {
    for await (const token of readTokenStream(stream, live())) tokens.push(token)
    return { tokens, failure: null }
  } catch (failure) {
    return { tokens, failure }
  }
}

const whole = (...tokens: string[]) => ({ tokens, failure: null })
const partial = (code: string, ...tokens: string[]) => ({
  tokens,
  failure: expect.objectContaining({ code }) as object,
})

const cloudflare = (token: unknown) => `data: ${JSON.stringify({ response: token, p: 'abdefghijk' })}\n\n`
const openAi = (delta: unknown, finish_reason: string | null = null) =>
  `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', choices: [{ index: 0, delta, finish_reason }] })}\n\n`
const DONE = 'data: [DONE]\n\n'

describe('readTokenStream', () => {
  it('reads the tokens of Workers AI, with its padding and its last event of usage', async () => {
    const usage = `data: ${JSON.stringify({ response: '', usage: { prompt_tokens: 9, completion_tokens: 3 } })}\n\n`
    const stream = streamOf(cloudflare('Open'), cloudflare(' the'), cloudflare(' menu.'), usage, DONE)
    expect(await read(stream)).toEqual(whole('Open', ' the', ' menu.'))
  })

  it('reads the tokens of OpenAI, with a delta that only names the role, an empty one, and one of usage', async () => {
    const stream = streamOf(
      openAi({ role: 'assistant', content: '', refusal: null }),
      openAi({ role: 'assistant' }),
      openAi({ content: null }),
      openAi({ content: 'Open' }),
      openAi({ reasoning_content: 'hm' }),
      openAi({
        content: [
          { type: 'text', text: ' the' },
          { type: 'text', text: ' menu.' },
        ],
      }),
      openAi({}, 'stop'),
      'data: {"choices":[],"usage":{"total_tokens":12}}\n\n',
      DONE,
    )
    expect(await read(stream)).toEqual(whole('Open', ' the menu.'))
  })

  it('takes a number for a token, and passes over what holds none', async () => {
    const stream = streamOf(cloudflare(7), cloudflare(null), cloudflare({ a: 1 }), 'data: {"id":"x"}\n\n', DONE)
    expect(await read(stream)).toEqual(whole('7'))
  })

  it.each([
    ['LF', '\n'],
    ['CRLF', '\r\n'],
    ['CR', '\r'],
  ])(
    'reads lines that end in %s, comments, other fields, several data lines and data without a blank',
    async (_, end) => {
      const lines = [
        ': keep-alive',
        '',
        'event: message',
        'id: 4',
        'retry: soon',
        'data:{"response":"Open"}',
        '',
        ':',
        'data: {"response":',
        'data: " the"}',
        'nonsense',
        '',
        '',
        'data: [DONE]',
        '',
      ]
      expect(await read(streamOf(lines.map((line) => line + end).join('')))).toEqual(whole('Open', ' the'))
    },
  )

  it.each([
    ['a blank line', `${cloudflare('Hi')}data: [DONE]\n`],
    ['any line end', `${cloudflare('Hi')}data: [DONE]`],
  ])('knows the end without %s after it', async (_, text) => {
    expect(await read(streamOf(text))).toEqual(whole('Hi'))
  })

  it('believes a finish_reason where [DONE] is missing', async () => {
    expect(await read(streamOf(openAi({ content: 'Hi' }), openAi({}, 'stop')))).toEqual(whole('Hi'))
    expect(await read(streamOf(openAi({ content: 'Hi' }, 'length')))).toEqual(whole('Hi'))
  })

  it('gives the same tokens however the bytes are split', async () => {
    const token = fc.oneof(
      fc.string({ unit: 'binary', minLength: 1 }),
      fc.constantFrom('ü', '…', '👩‍🏫', '保存', '\r\n', 'data: '),
    )
    const stop = fc.constantFrom('\n', '\r\n', '\r')
    const noise = fc.constantFrom('', ': ping', 'event: x', 'data: {"response":""}', '﻿')
    const event = fc.tuple(token, fc.boolean(), noise)
    await fc.assert(
      fc.asyncProperty(
        fc.array(event),
        stop,
        fc.infiniteStream(fc.integer({ min: 0, max: 40 })),
        async (events, end, sizes) => {
          const text = events
            .map(([each, isOpenAi, comment]) => {
              const event = isOpenAi ? { choices: [{ delta: { content: each } }] } : { response: each }
              return `${comment}${end}${end}data: ${JSON.stringify(event)}${end}${end}`
            })
            .join('')
          const bytes = encoder.encode(`${text}data: [DONE]${end}${end}`)
          const chunks: Uint8Array[] = []
          for (let at = 0; at < bytes.length; ) {
            const size = sizes.next().value ?? 1
            chunks.push(bytes.subarray(at, at + size))
            at += size
          }
          expect(await read(streamOf(...chunks))).toEqual(whole(...events.map(([each]) => each.toWellFormed())))
        },
      ),
    )
  })
})

describe('readTokenStream, streams that do not end well', () => {
  it.each([
    ['after an event', cloudflare('Op') + cloudflare('en')],
    ['inside an event', `${cloudflare('Op')}${cloudflare('en')}data: {"response":" th`],
    ['inside a line', `${cloudflare('Op')}${cloudflare('en')}da`],
  ])('keeps the tokens so far and throws ai_failed when the stream breaks off %s', async (_, text) => {
    const { tokens, failure } = await read(streamOf(text))
    expect({ tokens, failure }).toEqual(partial('ai_failed', 'Op', 'en'))
    expect((failure as AppError).message).toBe('The language model broke off in the middle of its answer.')
  })

  it('reports an empty stream and a page of HTML as broken off', async () => {
    expect(await read(streamOf())).toEqual(partial('ai_failed'))
    expect(await read(streamOf('<html>\n<body>502 Bad Gateway</body>\n</html>'))).toEqual(partial('ai_failed'))
  })

  it('reports a lost connection as broken off, with its cause', async () => {
    const lost = new Error('reset')
    let at = 0
    const stream = new ReadableStream<Uint8Array>({
      pull: (controller) =>
        at++ === 0 ? controller.enqueue(encoder.encode(cloudflare('Op'))) : controller.error(lost),
    })
    const { tokens, failure } = await read(stream)
    expect({ tokens, failure }).toEqual(partial('ai_failed', 'Op'))
    expect((failure as AppError).cause).toBe(lost)
  })

  it('passes on a failure that the stream was given by us', async () => {
    const timeout = new AppError('ai_timeout', 'Too long.')
    const stream = new ReadableStream<Uint8Array>({ start: (controller) => controller.error(timeout) })
    expect((await read(stream)).failure).toBe(timeout)
  })

  it.each([
    ['Workers AI, out of capacity', { errors: [{ code: 3040, message: 'Capacity temporarily exceeded' }] }, 'ai_busy'],
    ['Workers AI, as text', { error: '3040: Capacity temporarily exceeded, please try again.' }, 'ai_busy'],
    [
      'Workers AI, quota',
      { errors: [{ code: 3036, message: 'You have used up your daily free allocation' }] },
      'ai_quota',
    ],
    ['Workers AI, timeout', { error: { message: '3007: Request timeout' } }, 'ai_timeout'],
    [
      'OpenAI, rate limit',
      { error: { message: 'Slow down', type: 'requests', code: 'rate_limit_exceeded' } },
      'ai_busy',
    ],
    ['OpenAI, server', { error: { message: 'Sorry', type: 'internal_server_error', code: null } }, 'ai_busy'],
    ['OpenAI, quota', { error: { message: 'You ran out', code: 'insufficient_quota' } }, 'ai_quota'],
    ['a router, by status', { error: { code: 429, message: 'Provider returned error' } }, 'ai_busy'],
    [
      'a router, beside a last choice',
      { error: { code: 502, message: 'x' }, choices: [{ delta: { content: '' }, finish_reason: 'error' }] },
      'ai_busy',
    ],
    ['anything else', { error: { message: 'CUDA error' } }, 'ai_failed'],
    ['without words', { error: {} }, 'ai_failed'],
  ])('maps an error in the stream to its code: %s', async (_, error, code) => {
    const stream = streamOf(cloudflare('Op'), `data: ${JSON.stringify(error)}\n\n`, DONE)
    expect(await read(stream)).toEqual(partial(code, 'Op'))
  })

  it('takes empty fields for errors as none', async () => {
    expect(await read(streamOf('data: {"response":"a","error":null,"errors":[]}\n\n', DONE))).toEqual(whole('a'))
  })

  it.each([['7'], ['null'], ['"token"'], ['[]']])('reports %s, which is no event, as ai_failed', async (data) => {
    expect(await read(streamOf(cloudflare('Op'), `data: ${data}\n\n`, DONE))).toEqual(partial('ai_failed', 'Op'))
  })

  it('gives up on an event that never ends', async () => {
    let chunks = 0
    const stream = new ReadableStream<Uint8Array>({
      pull(controller) {
        chunks++
        controller.enqueue(encoder.encode(`data: ${'x'.repeat(100_000)}\n`))
      },
    })
    expect(await read(stream)).toEqual(partial('ai_failed'))
    expect(chunks).toBeLessThan(20)
  })
})

describe('readTokenStream, stopped early', () => {
  function endless() {
    const seen = { cancelled: 0 }
    const stream = new ReadableStream<Uint8Array>({
      pull: (controller) => controller.enqueue(encoder.encode(cloudflare('a'))),
      cancel: () => {
        seen.cancelled++
      },
    })
    return { stream, seen }
  }

  it('stops the source when the reader of the tokens leaves', async () => {
    const { stream, seen } = endless()
    let count = 0
    for await (const token of readTokenStream(stream, live())) if (token === 'a' && ++count === 3) break
    expect(seen.cancelled).toBe(1)
  })

  it('stops the source when the reader of the tokens fails', async () => {
    const { stream, seen } = endless()
    const reading = (async () => {
      for await (const token of readTokenStream(stream, live())) throw new Error(`full at ${token}`)
    })()
    await expect(reading).rejects.toThrow('full at a')
    expect(seen.cancelled).toBe(1)
  })

  it('stops the source after [DONE] and after an error in the stream', async () => {
    for (const last of [DONE, 'data: {"error":"3040"}\n\n']) {
      const seen = { cancelled: 0 }
      const stream = new ReadableStream<Uint8Array>({
        start: (controller) => controller.enqueue(encoder.encode(cloudflare('a') + last)),
        cancel: () => {
          seen.cancelled++
        },
      })
      expect((await read(stream)).tokens).toEqual(['a'])
      expect(seen.cancelled).toBe(1)
    }
  })

  it('does not wait for a source that takes its time to stop', async () => {
    const stream = new ReadableStream<Uint8Array>({
      pull: (controller) => controller.enqueue(encoder.encode(cloudflare('a'))),
      cancel: () => new Promise(() => {}),
    })
    for await (const token of readTokenStream(stream, live())) if (token === 'a') break
  })
})
