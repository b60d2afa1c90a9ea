// Behaviour: speech recognition against a server on loopback that answers as OpenAI does.
import { createServer } from 'node:net'
import { describe, expect, it } from 'vitest'
import { AppError } from '#worker/core/errors.ts'
import type { SpeechChunk } from '#worker/ports/speech-to-text.ts'
import { openAiSpeech } from '../openai-models.ts'
import {
  type Answer,
  breakOff,
  drip,
  flood,
  formOf,
  hang,
  hangUp,
  html,
  json,
  openServer,
} from '../testing/open-server.node.ts'

/** As large as half a minute of audio at 192 kbit/s, with every byte there is. */
const AUDIO = new Uint8Array(720_000).map((_, i) => (i * 31 + (i >> 8)) & 0xff)
const CHUNK: SpeechChunk = { audio: AUDIO, contentType: 'audio/mp4', durationMs: 30_000, language: null, prompt: null }
const SAID = {
  task: 'transcribe',
  language: 'english',
  duration: 30,
  text: 'Öffne das Menü.',
  words: [
    { word: 'Öffne', start: 0.4, end: 0.9 },
    { word: 'das', start: 0.9, end: 1.1 },
    { word: 'Menü.', start: 1.1, end: 1.6 },
  ],
  segments: [{ id: 0, start: 0.4, end: 1.6, text: ' Öffne das Menü.', avg_logprob: -0.1, no_speech_prob: 0.01 }],
}
const WORDS = ['Öffne', 'das', 'Menü.']
const live = () => new AbortController().signal

async function serve(...answers: Answer[]) {
  const server = await openServer(...answers)
  const speech = openAiSpeech({ baseUrl: server.baseUrl, apiKey: 'secret', model: 'whisper-1', timeoutMs: 400 })
  return { ...server, transcribe: (chunk = CHUNK, signal = live()) => speech.transcribe(chunk, signal) }
}

async function wordsFrom(...answers: Answer[]): Promise<string[]> {
  const { transcribe } = await serve(...answers)
  return (await transcribe()).words.map(({ text }) => text)
}

async function failureOf(...answers: Answer[]): Promise<AppError> {
  const { transcribe } = await serve(...answers)
  const failure = await transcribe().catch((error: unknown) => error)
  if (failure instanceof AppError) return failure
  throw new Error(`no AppError but ${String(failure)}`)
}

describe('openAiSpeech at a real server', () => {
  it('uploads the whole audio as a file beside its fields', async () => {
    const { transcribe, requests } = await serve(json(SAID))
    const result = await transcribe({ ...CHUNK, language: 'de', prompt: 'Menü, „Datei“\nSpeech Studio' })
    expect(result.words[2]).toMatchObject({ text: 'Menü.', startMs: 1_100, endMs: 1_600 })
    expect(result.language).toBe('en')
    const [request] = requests
    if (request === undefined) throw new Error('No request')
    expect(request.path).toBe('/v1/audio/transcriptions')
    expect(request.headers.get('authorization')).toBe('Bearer secret')
    // A server that cannot take a body without a length exists, and 413 is decided by it.
    expect(Number(request.headers.get('content-length'))).toBe(request.body.byteLength)
    const form = await formOf(request)
    const file = form.get('file') as File
    expect([file.name, file.type]).toEqual(['chunk.m4a', 'audio/mp4'])
    expect(Buffer.compare(Buffer.from(await file.arrayBuffer()), AUDIO)).toBe(0)
    expect([...form].filter(([name]) => name !== 'file')).toEqual([
      ['model', 'whisper-1'],
      ['response_format', 'verbose_json'],
      ['timestamp_granularities[]', 'word'],
      ['timestamp_granularities[]', 'segment'],
      ['language', 'de'],
      // Multipart knows only line ends of two characters.
      ['prompt', 'Menü, „Datei“\r\nSpeech Studio'],
    ])
  })

  it.each([
    [
      'OpenAI',
      400,
      {
        error: {
          message: "response_format 'verbose_json' is not compatible with model 'gpt-4o-transcribe'.",
          type: 'invalid_request_error',
          param: 'response_format',
          code: 'unsupported_value',
        },
      },
    ],
    [
      'FastAPI',
      422,
      { detail: [{ type: 'enum', loc: ['body', 'response_format'], msg: "Input should be 'json' or 'text'" }] },
    ],
  ])('transcribes with a server that only knows json, which refuses as %s does', async (_, status, refusal) => {
    const { transcribe, requests } = await serve(json(refusal, status), json({ text: 'one two' }))
    expect((await transcribe()).words.map(({ text }) => text)).toEqual(['one', 'two'])
    const forms = await Promise.all(requests.map(formOf))
    expect(forms.map((form) => form.get('response_format'))).toEqual(['verbose_json', 'json'])
    expect(forms[1]?.get('file')).toMatchObject({ size: AUDIO.byteLength })
  })

  it('waits for an answer that drips in, with characters that come apart', async () => {
    expect(await wordsFrom(drip(JSON.stringify(SAID), { everyMs: 1, bytes: 7 }))).toEqual(WORDS)
  })

  it('reads an answer with the marks of another system before it', async () => {
    expect(await wordsFrom((response) => response.end(`\uFEFF\r\n${JSON.stringify(SAID)}\r\n`))).toEqual(WORDS)
  })
})

describe('openAiSpeech at a real server, faults', () => {
  it('waits as long as a busy server asks, in seconds or as a date', async () => {
    const inSeconds = await failureOf(json({ error: { message: 'Rate limit reached' } }, 429, { 'retry-after': '17' }))
    expect([inSeconds.code, inSeconds.retryAfterS]).toEqual(['ai_busy', 17])
    const date = new Date(Date.now() + 40_000).toUTCString()
    const atDate = await failureOf(json({}, 503, { 'retry-after': date }))
    expect(atDate.code).toBe('ai_busy')
    expect(atDate.retryAfterS).toBeGreaterThan(35)
    expect(atDate.retryAfterS).toBeLessThanOrEqual(40)
    expect((await failureOf(json({}, 429, { 'retry-after': new Date(0).toUTCString() }))).retryAfterS).toBe(0)
  })

  it.each<[string, Answer, string]>([
    ['500', json({ error: { message: 'CUDA out of memory' } }, 500), 'ai_busy'],
    ['502 as a page', html(502), 'ai_busy'],
    [
      '413',
      json({ error: { message: 'Maximum content size limit (26214400) exceeded', code: null } }, 413),
      'ai_too_large',
    ],
    ['413 as a page', html(413), 'ai_too_large'],
    ['401', json({ error: { message: 'Incorrect API key provided: sk-…' } }, 401), 'ai_failed'],
    ['404 as a page', html(404), 'ai_failed'],
    ['a page of HTML instead of an answer', html(200), 'ai_failed'],
    ['text instead of JSON', (response) => response.end('one two'), 'ai_failed'],
    ['an empty answer', (response) => response.end(), 'ai_failed'],
    ['204', (response) => response.writeHead(204).end(), 'ai_failed'],
    ['JSON of another kind', json({ status: 'ok' }), 'ai_failed'],
    ['half of the JSON', (response) => response.end(JSON.stringify(SAID).slice(0, 60)), 'ai_failed'],
    ['a connection that ends without an answer', hangUp, 'ai_busy'],
    ['a connection that ends inside of the answer', breakOff(JSON.stringify(SAID)), 'ai_busy'],
    ['no answer at all', hang, 'ai_timeout'],
    ['an answer that takes for ever', drip(JSON.stringify(SAID), { everyMs: 100, bytes: 1 }), 'ai_timeout'],
  ])('maps %s to its code', async (_, answer, code) => {
    const failure = await failureOf(answer)
    expect(failure.code).toBe(code)
    expect(failure.message).toMatch(/^The speech service .*\.$/)
    expect(failure.message).not.toMatch(/secret|sk-/)
  })

  it('knows 413 of a server that does not wait for the upload to end', async () => {
    const server = createServer((socket) => {
      socket.once('data', () =>
        socket.write('HTTP/1.1 413 Payload Too Large\r\nContent-Length: 0\r\nConnection: close\r\n\r\n'),
      )
      socket.on('error', () => undefined)
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as { port: number }
    const speech = openAiSpeech({ baseUrl: `http://127.0.0.1:${port}/v1`, apiKey: '', model: 'm', timeoutMs: 2_000 })
    await expect(speech.transcribe(CHUNK, live())).rejects.toMatchObject({ code: 'ai_too_large' })
    server.close()
  })

  it('does not fill the memory with an answer that never ends', async () => {
    const { baseUrl } = await openServer(flood)
    const speech = openAiSpeech({ baseUrl, apiKey: '', model: 'm', timeoutMs: 20_000 })
    await expect(speech.transcribe(CHUNK, live())).rejects.toMatchObject({ code: 'ai_failed' })
  })

  it('reports a server that is not there as ai_busy', async () => {
    const speech = openAiSpeech({ baseUrl: 'http://127.0.0.1:1/v1', apiKey: '', model: 'm' })
    await expect(speech.transcribe(CHUNK, live())).rejects.toMatchObject({ code: 'ai_busy' })
  })

  it.each<[string, Answer]>([
    ['that hangs', hang],
    ['that drips', drip(JSON.stringify(SAID), { everyMs: 100, bytes: 1 })],
  ])('takes its request back from a server %s, after its time and when the caller stops', async (_, answer) => {
    const { transcribe, left, requests } = await serve(answer)
    await expect(transcribe()).rejects.toMatchObject({ code: 'ai_timeout' })
    await expect.poll(left).toBe(1)
    const controller = new AbortController()
    const running = transcribe(CHUNK, controller.signal)
    await expect.poll(() => requests.length).toBe(2)
    controller.abort(new Error('run stopped'))
    await expect(running).rejects.toThrow('run stopped')
    await expect.poll(left).toBe(2)
  })
})
