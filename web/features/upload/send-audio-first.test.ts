import { describe, expect, it, vi } from 'vitest'
import { AudioArrived, AudioUrlsRequest, type ClientAudioChunk } from '#contract/upload.ts'
import type { CallApi } from '#web/lib/api.ts'
import { ApiError } from '#web/lib/api-error.ts'
import { type AudioDeps, sendAudioFirst } from './send-audio-first.ts'
import { hasty } from './testing/fake-uploads.ts'

const DURATION_MS = 300_000
const STORED = { status: 200, etag: null }

/** Audio of so many chunks, half a minute each; what was read and put, and what was reported to the server. */
function makeScene({ chunks = 10, deps = {} as Partial<AudioDeps>, onCall = (_path: string) => {} } = {}) {
  const reported: AudioArrived[] = []
  const asked: AudioUrlsRequest[] = []
  const putChunks: number[] = []
  const seen = { isCutterEnded: false, atOnce: 0, mostAtOnce: 0 }
  async function* cut(): ReturnType<AudioDeps['cut']> {
    try {
      yield { facts: { startMs: 0, durationMs: DURATION_MS, contentType: 'audio/mp4' } }
      for (let chunk = 0; chunk < chunks; chunk++) yield { chunk: makeChunk(chunk) }
    } finally {
      seen.isCutterEnded = true
    }
  }
  const callApi = (async ({ path, body }: { path: string; body: unknown }) => {
    onCall(path)
    if (path.endsWith('/audio')) {
      reported.push(AudioArrived.parse(body))
      return { success: true }
    }
    const request = AudioUrlsRequest.parse(body)
    asked.push(request)
    seen.mostAtOnce = Math.max(seen.mostAtOnce, ++seen.atOnce)
    return {
      success: true,
      urls: request.chunks.map(({ chunk }) => ({ number: chunk, url: `https://storage/${chunk}` })),
    }
  }) as CallApi
  const all: AudioDeps = {
    cut,
    putFile: async ({ url, contentType }) => {
      expect(contentType).toBe('audio/mp4')
      await Promise.resolve()
      putChunks.push(chunkOf(url))
      seen.atOnce--
      return STORED
    },
    readDurationMs: async () => DURATION_MS + 900,
    timing: hasty,
    ...deps,
  }
  const stop = new AbortController()
  const file = new File(['x'], 'a.mp4')
  const start = () => {
    const { promise: headStart, resolve } = Promise.withResolvers<void>()
    const request = {
      file,
      durationMs: DURATION_MS,
      moduleId: 'm1',
      callApi,
      signal: stop.signal,
      onVideoMayStart: resolve,
    }
    return { headStart, ended: sendAudioFirst(request, all) }
  }
  return { start, stop, reported, asked, putChunks, seen }
}

const chunkOf = (url: string) => Number(url.split('/').at(-1))

function makeChunk(chunk: number) {
  const startMs = chunk * 30_000
  const times = { audioStartMs: startMs, audioDurationMs: 32_500, startMs, endMs: startMs + 30_000 }
  return { chunk, ...times, bytes: new Uint8Array(1000), contentType: 'audio/mp4' as const, parts: [] }
}

const numbersOf = (reported: AudioArrived[]) =>
  reported.flatMap(({ chunks }) => chunks.map(({ chunk }: ClientAudioChunk) => chunk)).toSorted((a, b) => a - b)

const broken = (status: number, code = 'http') => new ApiError({ status, code, message: 'no' })

describe('sendAudioFirst', () => {
  it('puts and reports every chunk: the first at once, then some at a time, the number of chunks with the last', async () => {
    const { start, reported, putChunks, seen } = makeScene({ chunks: 21 })
    const { headStart, ended } = start()
    await headStart
    expect(reported[0]).toMatchObject({
      durationMs: DURATION_MS,
      chunks: [{ chunk: 0, sizeBytes: 1000 }],
      chunkCount: null,
    })
    expect(await ended).toBe(21)
    expect(putChunks.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 21 }, (_, i) => i))
    expect([...new Set(numbersOf(reported))]).toEqual(Array.from({ length: 21 }, (_, i) => i))
    expect(numbersOf(reported).length).toBeLessThanOrEqual(22)
    expect(reported.at(-1)?.chunks.at(-1)?.chunk).toBe(20)
    expect(reported.length).toBeLessThan(12)
    expect(reported.map(({ chunkCount }) => chunkCount).filter((count) => count !== null)).toEqual([21])
    expect(reported.at(-1)?.chunkCount).toBe(21)
    expect(seen.mostAtOnce).toBe(3)
  })

  it('declares the size of each chunk when it asks for its address', async () => {
    const { start, asked } = makeScene({ chunks: 5 })
    await start().ended
    const numbered = asked.toSorted((a, b) => (a.chunks[0]?.chunk ?? 0) - (b.chunks[0]?.chunk ?? 0))
    const one = (chunk: number) => ({ chunks: [{ chunk, sizeBytes: 1000 }], contentType: 'audio/mp4' })
    expect(numbered).toEqual([0, 1, 2, 3, 4].map(one))
  })

  it('asks for an address again that was not given', async () => {
    let isDown = true
    const onCall = (path: string) => {
      if (!path.endsWith('/audio-urls') || !isDown) return
      isDown = false
      throw broken(0, 'network')
    }
    const { start, asked } = makeScene({ chunks: 2, onCall })
    expect(await start().ended).toBe(2)
    expect(new Set(asked.map(({ chunks }) => chunks[0]?.chunk))).toEqual(new Set([0, 1]))
    expect(asked).toHaveLength(2)
  })

  it('retries after a transient failure', async () => {
    const failures = new Map([[2, 3]])
    const putFile = vi.fn<AudioDeps['putFile']>(async ({ url }) => {
      const left = failures.get(chunkOf(url)) ?? 0
      failures.set(chunkOf(url), left - 1)
      return left > 0 ? { ...STORED, status: 503 } : STORED
    })
    let isDown = true
    const onCall = (path: string) => {
      if (!path.endsWith('/audio') || !isDown) return
      isDown = false
      throw broken(0, 'network')
    }
    const { start, reported } = makeScene({ chunks: 5, deps: { putFile }, onCall })
    expect(await start().ended).toBe(5)
    expect([...new Set(numbersOf(reported))]).toEqual([0, 1, 2, 3, 4])
    expect(putFile).toHaveBeenCalledTimes(8)
  })

  it.each([
    ['storage refuses a chunk for good', { deps: { putFile: async () => ({ ...STORED, status: 400 }) } }],
    ['storage stays away', { deps: { putFile: async () => ({ ...STORED, status: 503 }) } }],
    ['the player sees another length', { deps: { readDurationMs: async () => DURATION_MS - 1001 } }],
    [
      'the server refuses it',
      {
        onCall: (path: string) => {
          if (path.endsWith('/audio')) throw broken(409, 'audio_refused')
        },
      },
    ],
    [
      'no addresses are given',
      {
        onCall: (path: string) => {
          if (path.endsWith('/audio-urls')) throw broken(404, 'not_found')
        },
      },
    ],
  ])('leaves the audio to the server when %s', async (_, scene) => {
    const { start, seen, reported } = makeScene(scene)
    const { headStart, ended } = start()
    await headStart
    expect(await ended).toBe(0)
    await vi.waitFor(() => expect(seen.isCutterEnded).toBe(true))
    expect(reported.every(({ chunkCount }) => chunkCount === null)).toBe(true)
  })

  it('leaves the audio to the server when the file cannot be read, at whatever point', async () => {
    for (const at of [0, 1, 4]) {
      const scene = makeScene()
      async function* cut(): ReturnType<AudioDeps['cut']> {
        if (at > 0) yield { facts: { startMs: 0, durationMs: DURATION_MS, contentType: 'audio/mp4' } }
        for (let chunk = 0; chunk < at - 1; chunk++) yield { chunk: makeChunk(chunk) }
        throw new Error('MediaFault: broken')
      }
      const { start, reported } = makeScene({ deps: { cut } })
      expect(await start().ended, `${at}`).toBe(0)
      expect(reported.every(({ chunkCount }) => chunkCount === null)).toBe(true)
      expect(scene.reported).toEqual([])
    }
  })

  it('says nothing to the server of a video without audio', async () => {
    async function* cut(): ReturnType<AudioDeps['cut']> {}
    const { start, reported, asked } = makeScene({ deps: { cut } })
    expect(await start().ended).toBe(0)
    expect([reported, asked]).toEqual([[], []])
  })

  it('does not mind a player that knows no length', async () => {
    const { start } = makeScene({ deps: { readDurationMs: async () => null } })
    expect(await start().ended).toBe(10)
  })

  it('ends when the upload is cancelled, and reports nothing after that', async () => {
    let puts = 0
    const scene = makeScene({
      deps: {
        putFile: ({ signal }) => {
          puts++
          return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
        },
      },
    })
    const { ended, headStart } = scene.start()
    await vi.waitFor(() => expect(puts).toBeGreaterThan(0))
    scene.stop.abort()
    await headStart
    expect(await ended).toBe(0)
    expect(scene.reported).toEqual([])
  })
})
