import { spawnSync } from 'node:child_process'
import { mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openAiSpeech } from '#worker/adapters/openai-compatible/openai-models.ts'
import { ensureTools } from '../start/tools.ts'
import { wordErrorRate } from '../testing/word-error-rate.ts'
import { LARGEST_BODY_BYTES, openPlaces, type SpeechServer, startSpeechServer } from './speech-server.ts'
import type { Transcription } from './transcription.ts'

const calm = new AbortController().signal

function openTask(name: string, log: string[]) {
  const { promise, resolve } = Promise.withResolvers<void>()
  const task = async () => {
    log.push(`${name} begins`)
    await promise
    return name
  }
  return { task, finish: resolve }
}

describe('openPlaces', () => {
  it('runs no more tasks at once than there are places, in the order of their coming', async () => {
    const log: string[] = []
    const places = openPlaces(2)
    const tasks = ['a', 'b', 'c', 'd'].map((name) => openTask(name, log))
    const done = tasks.map(({ task }) => places.use(task, { signal: calm }))
    await Promise.resolve()
    expect(log).toEqual(['a begins', 'b begins'])
    tasks[1]?.finish()
    await done[1]
    await new Promise(setImmediate)
    expect(log).toEqual(['a begins', 'b begins', 'c begins'])
    for (const { finish } of tasks) finish()
    expect(await Promise.all(done)).toEqual(['a', 'b', 'c', 'd'])
  })

  it('lets one who gives up leave the line without taking a place', async () => {
    const log: string[] = []
    const places = openPlaces(1)
    const first = openTask('first', log)
    const impatient = new AbortController()
    const running = places.use(first.task, { signal: calm })
    const waiting = places.use(openTask('impatient', log).task, { signal: impatient.signal })
    const last = places.use(async () => 'last', { signal: calm })
    impatient.abort(new Error('gone'))
    await expect(waiting).rejects.toThrow('gone')
    first.finish()
    expect(await running).toBe('first')
    expect(await last).toBe('last')
    expect(log).toEqual(['first begins'])
  })

  it('frees the place of a task that fails', async () => {
    const places = openPlaces(1)
    await expect(places.use(() => Promise.reject(new Error('broken')), { signal: calm })).rejects.toThrow('broken')
    expect(await places.use(async () => 'next', { signal: calm })).toBe('next')
  })

  it('refuses a task while the line is full, until a waiting one leaves it', async () => {
    const places = openPlaces(1, 2)
    const first = openTask('first', [])
    const impatient = new AbortController()
    const running = places.use(first.task, { signal: calm })
    const waiting = places.use(async () => 'impatient', { signal: impatient.signal })
    const second = places.use(async () => 'second', { signal: calm })
    await expect(places.use(async () => 'too late', { signal: calm })).rejects.toMatchObject({
      status: 429,
      cause: 'line_full',
    })
    impatient.abort(new Error('gone'))
    await expect(waiting).rejects.toThrow('gone')
    const third = places.use(async () => 'third', { signal: calm })
    first.finish()
    expect(await Promise.all([running, second, third])).toEqual(['first', 'second', 'third'])
  })

  it('serves those of different turns in turn, so that a long video does not hold up a short one', async () => {
    const log: string[] = []
    const places = openPlaces(1)
    const use = (turn: string, name: string) => places.use(async () => void log.push(name), { signal: calm, turn })
    const long = Array.from({ length: 5 }, (_, at) => use('long', `long ${at}`))
    const short = Array.from({ length: 2 }, (_, at) => use('short', `short ${at}`))
    await Promise.all([...long, ...short])
    expect(log).toEqual(['long 0', 'long 1', 'short 0', 'long 2', 'short 1', 'long 3', 'long 4'])
  })
})

const SAID = 'Open the cover of the printer. Now take out the old roll. Then press the button to close the cover.'

/** Where they have to be installed first. */
const INSTALL_MS = 240_000

let dir: string
let workDir: string
let server: SpeechServer
const onFailure = (error: unknown) => console.error(error)

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'adapt-speech-test-'))
  workDir = join(dir, 'work')
  await mkdir(workDir)
  server = await startSpeechServer({ workDir, onFailure })
})

afterAll(async () => {
  await server.close()
  await rm(dir, { recursive: true })
})

function openForm(audio: Uint8Array<ArrayBuffer>, fields: Record<string, string> = {}): FormData {
  const form = new FormData()
  form.set('file', new File([audio], 'chunk.wav', { type: 'audio/wav' }))
  for (const [name, value] of Object.entries({ model: 'whisper-1', ...fields })) form.set(name, value)
  return form
}

function post(body: BodyInit, signal?: AbortSignal): Promise<Response> {
  return fetch(`${server.baseUrl}/audio/transcriptions`, { method: 'POST', body, signal: signal ?? null })
}

async function refusal(response: Response): Promise<[number, unknown]> {
  const { error } = (await response.json()) as { error: { code: string } }
  return [response.status, error.code]
}

describe('startSpeechServer', () => {
  it('reports its health and its model', async () => {
    const health = await fetch(new URL('/health', server.baseUrl))
    expect(await health.json()).toEqual({ status: 'ok' })
    const models = (await (await fetch(`${server.baseUrl}/models`)).json()) as { data: { id: string }[] }
    expect(models.data.map(({ id }) => id)).toEqual(['pocketsphinx-en-us'])
  })

  it('refuses what is not a transcription request', async () => {
    expect(await refusal(await fetch(`${server.baseUrl}/chat/completions`))).toEqual([404, 'unknown_url'])
    expect(await refusal(await post('{}'))).toEqual([400, 'not_multipart'])
    expect(await refusal(await post(new FormData()))).toEqual([400, 'file_missing'])
    expect(await refusal(await post(openForm(new Uint8Array(1), { response_format: 'srt' })))).toEqual([
      400,
      'format_unknown',
    ])
    const headers = { 'content-type': 'multipart/form-data; boundary=x' }
    const broken = await fetch(`${server.baseUrl}/audio/transcriptions`, { method: 'POST', body: 'broken', headers })
    expect(await refusal(broken)).toEqual([400, 'not_multipart'])
  })

  it('refuses a body over the limit', async () => {
    expect(await refusal(await post(openForm(new Uint8Array(LARGEST_BODY_BYTES))))).toEqual([413, 'body_too_large'])
  })
})

describe('recognition', () => {
  let narration: Uint8Array<ArrayBuffer>

  beforeAll(async () => {
    await ensureTools(['ffmpeg', 'flite', 'pocketsphinx'])
    const path = join(dir, 'narration.wav')
    spawnSync('flite', ['-voice', 'slt', '-t', SAID, '-o', path])
    narration = new Uint8Array(await readFile(path))
  }, INSTALL_MS)

  it('transcribes words with times and probabilities', async () => {
    const response = await post(
      openForm(narration, { response_format: 'verbose_json', 'timestamp_granularities[]': 'word' }),
    )
    const { text, words, segments, duration } = (await response.json()) as Transcription
    expect(wordErrorRate(SAID, text)).toBeLessThan(0.35)
    expect(words.map(({ word }) => word).join(' ')).toBe(text)
    expect(segments.length).toBeGreaterThan(0)
    for (const [index, { start, end, probability }] of words.entries()) {
      expect(start).toBeGreaterThanOrEqual(words[index - 1]?.end ?? 0)
      expect(end).toBeGreaterThan(start)
      expect(end).toBeLessThanOrEqual(duration)
      expect(probability).toBeLessThanOrEqual(1)
    }
  }, 30_000)

  it('answers only the text where no more is asked for', async () => {
    const response = await post(openForm(narration))
    expect(Object.keys((await response.json()) as object)).toEqual(['text'])
  }, 30_000)

  it('refuses audio that cannot be decoded, with the decoder’s reason', async () => {
    expect(await refusal(await post(openForm(new TextEncoder().encode('<html>no audio</html>'))))).toEqual([
      400,
      'audio_unreadable',
    ])
  })

  it('does not follow a playlist to other files of the machine', async () => {
    const playlist = `#EXTM3U\n#EXTINF:1,\nfile://${join(dir, 'narration.wav')}\n#EXT-X-ENDLIST\n`
    expect(await refusal(await post(openForm(new TextEncoder().encode(playlist))))).toEqual([400, 'audio_unreadable'])
  })

  it('stops working for clients that go away, and leaves no files', async () => {
    const leaving = new AbortController()
    const requests = Array.from({ length: 6 }, () => post(openForm(narration), leaving.signal))
    await expect.poll(() => readdir(workDir)).not.toEqual([])
    leaving.abort()
    await expect(Promise.all(requests)).rejects.toThrow()
    await expect.poll(() => readdir(workDir), { timeout: 5000 }).toEqual([])
    expect((await fetch(new URL('/health', server.baseUrl))).status).toBe(200)
  })

  it('lets more requests wait than it transcribes at once, and refuses only beyond the longest line', async () => {
    const small = await startSpeechServer({ workDir, onFailure, atOnce: 1, longestLine: 2 })
    const url = `${small.baseUrl}/audio/transcriptions`
    const requests = Array.from({ length: 5 }, () => fetch(url, { method: 'POST', body: openForm(narration) }))
    const responses = await Promise.all(requests)
    expect(responses.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 200, 200, 429, 429])
    const refused = responses.find(({ status }) => status === 429)
    expect(refused?.headers.get('retry-after')).toBe('30')
    expect(await refused?.json()).toMatchObject({ error: { code: 'line_full' } })
    await small.close()
  }, 60_000)

  it('takes the chunks of different videos in turn', async () => {
    const small = await startSpeechServer({ workDir, onFailure, atOnce: 1 })
    const done: string[] = []
    const speech = openAiSpeech({ baseUrl: small.baseUrl, apiKey: '', model: 'any' })
    const chunk = { contentType: 'audio/wav', durationMs: 10_000, language: null, prompt: null } as const
    const transcribe = async (turn: string) => {
      await speech.transcribe({ ...chunk, audio: narration.slice(), turn }, calm)
      done.push(turn)
    }
    const long = Array.from({ length: 5 }, () => transcribe('long'))
    await expect.poll(() => readdir(workDir)).not.toEqual([])
    await Promise.all([...long, transcribe('short')])
    expect(done.indexOf('short')).toBeLessThan(3)
    await small.close()
  }, 60_000)

  it('gives the place of a client that went away to those behind it', async () => {
    const small = await startSpeechServer({ workDir, onFailure, atOnce: 1 })
    const url = `${small.baseUrl}/audio/transcriptions`
    const transcribe = (signal?: AbortSignal) =>
      fetch(url, { method: 'POST', body: openForm(narration), signal: signal ?? null })
    const leaving = new AbortController()
    const gone = Promise.allSettled([1, 2, 3].map(() => transcribe(leaving.signal)))
    await expect.poll(() => readdir(workDir)).not.toEqual([])
    const last = transcribe()
    leaving.abort()
    expect((await gone).map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected'])
    expect((await last).status).toBe(200)
    await small.close()
  }, 60_000)
})
