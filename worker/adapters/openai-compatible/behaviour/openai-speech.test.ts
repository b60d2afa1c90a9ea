// Behaviour: speech recognition by a server of OpenAI’s interface: requests, answers, failures.
import { describe, expect, it } from 'vitest'
import { AppError } from '#worker/core/errors.ts'
import type { SpeechChunk } from '#worker/ports/speech-to-text.ts'
import { openAiSpeech } from '../openai-models.ts'

const CHUNK: SpeechChunk = {
  audio: new Uint8Array([1, 2, 3]),
  contentType: 'audio/mp4',
  durationMs: 10_000,
  language: null,
  prompt: null,
}
const live = () => new AbortController().signal

/** A server that answers one after the other; the last answer again and again. */
function serverOf(...answers: (() => Response | Promise<Response>)[]) {
  const requests: { url: string; headers: Headers; form: FormData }[] = []
  const send = async (url: string, init: RequestInit) => {
    requests.push({ url, headers: new Headers(init.headers), form: init.body as FormData })
    const answer = answers[Math.min(requests.length, answers.length) - 1]
    if (answer === undefined) throw new Error('no answer')
    return await answer()
  }
  const speech = openAiSpeech({
    baseUrl: 'http://speech.test/v1/',
    apiKey: 'secret',
    model: 'whisper-1',
    fetch: send as typeof fetch,
    timeoutMs: 200,
  })
  return { speech, requests }
}

const json =
  (body: unknown, status = 200, headers: Record<string, string> = {}) =>
  () =>
    Response.json(body, { status, headers })

async function failureOf(...answers: (() => Response | Promise<Response>)[]): Promise<AppError> {
  const failure = await serverOf(...answers)
    .speech.transcribe(CHUNK, live())
    .catch((error: unknown) => error)
  if (failure instanceof AppError) return failure
  throw new Error(`no AppError but ${String(failure)}`)
}

describe('openAiSpeech', () => {
  it('names the turn that a chunk takes, where there is one', async () => {
    const { speech, requests } = serverOf(json({ text: 'hi' }))
    await speech.transcribe({ ...CHUNK, turn: 'a-video' }, live())
    await speech.transcribe(CHUNK, live())
    expect(requests.map(({ headers }) => headers.get('x-adapt-turn'))).toEqual(['a-video', null])
  })

  it('sends the audio as a file and asks for words and segments', async () => {
    const { speech, requests } = serverOf(json({ text: 'hi', words: [{ word: 'hi', start: 0, end: 1 }] }))
    const chunk = { ...CHUNK, language: 'en', prompt: 'Adapt, Speech Studio' }
    const result = await speech.transcribe(chunk, live())
    expect(result.words).toEqual([{ text: 'hi', startMs: 0, endMs: 1_000, confidence: null }])
    const [request] = requests
    expect(request?.url).toBe('http://speech.test/v1/audio/transcriptions')
    expect(request?.headers.get('authorization')).toBe('Bearer secret')
    expect(request?.headers.has('content-type')).toBe(false)
    const file = request?.form.get('file') as unknown as File
    expect([file.name, file.type, file.size]).toEqual(['chunk.m4a', 'audio/mp4', 3])
    expect(Object.fromEntries([...(request?.form ?? [])].filter(([name]) => name !== 'file'))).toEqual({
      model: 'whisper-1',
      response_format: 'verbose_json',
      'timestamp_granularities[]': 'segment',
      language: 'en',
      prompt: 'Adapt, Speech Studio',
    })
    expect(request?.form.getAll('timestamp_granularities[]')).toEqual(['word', 'segment'])
  })

  it.each([
    ['audio/ogg', 'chunk.ogg'],
    ['audio/mpeg', 'chunk.mp3'],
    ['audio/wav', 'chunk.wav'],
  ] as const)('names %s so that the server knows its container', async (contentType, name) => {
    const { speech, requests } = serverOf(json({ text: '' }))
    await speech.transcribe({ ...CHUNK, contentType }, live())
    expect(requests[0]?.form.get('file')).toMatchObject({ name })
  })

  it('says no language and no prompt, and no key to a server without one', async () => {
    const keys: (string | null)[] = []
    const speech = openAiSpeech({
      baseUrl: 'http://speech.test/v1',
      apiKey: '',
      model: 'm',
      fetch: (async (_url: string, init: RequestInit) => {
        keys.push(new Headers(init.headers).get('authorization'), ...(init.body as FormData).keys())
        return Response.json({ text: '' })
      }) as typeof fetch,
    })
    await speech.transcribe(CHUNK, live())
    expect(keys).toEqual([
      null,
      'file',
      'model',
      'response_format',
      'timestamp_granularities[]',
      'timestamp_granularities[]',
    ])
  })

  it('retries without times when the model writes none', async () => {
    const refusal = json({ error: { message: "response_format 'verbose_json' is not compatible with model" } }, 400)
    const { speech, requests } = serverOf(refusal, json({ text: 'one two' }))
    expect((await speech.transcribe(CHUNK, live())).words).toHaveLength(2)
    expect(requests.map((request) => request.form.get('response_format'))).toEqual(['verbose_json', 'json'])
    expect(requests[1]?.form.has('timestamp_granularities[]')).toBe(false)
  })
})

describe('openAiSpeech, faults', () => {
  it.each([
    [429, 'ai_busy'],
    [500, 'ai_busy'],
    [502, 'ai_busy'],
    [503, 'ai_busy'],
    [402, 'ai_quota'],
    [413, 'ai_too_large'],
    [408, 'ai_timeout'],
    [504, 'ai_timeout'],
    [400, 'ai_failed'],
    [401, 'ai_failed'],
    [403, 'ai_failed'],
    [404, 'ai_failed'],
    [422, 'ai_failed'],
  ])('maps HTTP %i to %s', async (status, code) => {
    const failure = await failureOf(json({ error: { message: 'no' } }, status))
    expect(failure.code).toBe(code)
    expect(failure.message).toMatch(/^The speech service .*\.$/)
    expect(failure.message).not.toContain('secret')
  })

  it('distinguishes a used-up quota from a busy server', async () => {
    const body = { error: { code: 'insufficient_quota', message: 'You exceeded your current quota' } }
    expect((await failureOf(json(body, 429))).code).toBe('ai_quota')
  })

  it('passes on how long the server asks to wait, in seconds or as a date, within an hour', {
    tags: 'fault-21',
  }, async () => {
    const wait = async (value: string) => (await failureOf(json({}, 429, { 'retry-after': value }))).retryAfterS
    expect(await wait('7')).toBe(7)
    expect(await wait('1.2')).toBe(2)
    expect(await wait('999999')).toBe(3_600)
    expect(await wait('soon')).toBeNull()
    expect(await wait(new Date(Date.now() + 30_000).toUTCString())).toBeGreaterThan(20)
    expect((await failureOf(json({}, 503))).retryAfterS).toBeNull()
  })

  it('reports a lost connection as ai_busy, before and inside the answer', async () => {
    const refused = () => Promise.reject(new TypeError('fetch failed'))
    const cut = () => new Response(new ReadableStream({ start: (body) => body.error(new Error('reset')) }))
    expect((await failureOf(refused)).code).toBe('ai_busy')
    expect((await failureOf(cut)).code).toBe('ai_busy')
  })

  it('reports an answer that is no JSON, or no transcript, as ai_failed', async () => {
    expect((await failureOf(() => new Response('<html>'))).code).toBe('ai_failed')
    expect((await failureOf(json({ ok: true }))).code).toBe('ai_failed')
  })

  it('does not wait for ever', async () => {
    expect((await failureOf(() => new Promise<Response>(() => {}))).code).toBe('ai_timeout')
  })

  it('stops when the caller does', async () => {
    const controller = new AbortController()
    const { speech } = serverOf(() => new Promise<Response>(() => {}))
    const running = speech.transcribe(CHUNK, controller.signal)
    controller.abort(new Error('run stopped'))
    await expect(running).rejects.toThrow('run stopped')
  })
})
