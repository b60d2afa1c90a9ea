import { describe, expect, it, vi } from 'vitest'
import { AudioArrived, AudioUrlsRequest, type ClientAudioPart } from '#contract/upload.ts'
import type { CallApi } from '#web/lib/api-context.tsx'
import { ApiError } from '#web/lib/api-error.ts'
import { type SoundDeps, type SoundState, sendSoundFirst } from './send-sound-first.ts'

const DURATION_MS = 300_000

/** Sound of so many parts, half a minute each; what was read and put, and what was reported to the server. */
function makeScene({ parts = 10, deps = {} as Partial<SoundDeps>, onCall = (_path: string) => {} } = {}) {
  const told: AudioArrived[] = []
  const asked: AudioUrlsRequest[] = []
  const states: SoundState[] = []
  const putParts: number[] = []
  const seen = { isCutterEnded: false, atOnce: 0, mostAtOnce: 0 }
  async function* cut(): ReturnType<SoundDeps['cut']> {
    try {
      yield { facts: { durationMs: DURATION_MS, contentType: 'audio/mp4', estimatedParts: parts } }
      for (let part = 0; part < parts; part++) yield { part: makePart(part) }
    } finally {
      seen.isCutterEnded = true
    }
  }
  const callApi = (async ({ path, body }: { path: string; body: unknown }) => {
    onCall(path)
    if (path.endsWith('/audio')) {
      told.push(AudioArrived.parse(body))
      return { success: true }
    }
    const request = AudioUrlsRequest.parse(body)
    asked.push(request)
    return { success: true, urls: request.parts.map(({ part }) => ({ part, url: `https://storage/${part}` })) }
  }) as CallApi
  const all: SoundDeps = {
    cut,
    putPart: async ({ part, urls, body }) => {
      seen.mostAtOnce = Math.max(seen.mostAtOnce, ++seen.atOnce)
      expect(await urls.get(part, body.size)).toBe(`https://storage/${part}`)
      await Promise.resolve()
      putParts.push(part)
      seen.atOnce--
    },
    readDurationMs: async () => DURATION_MS + 900,
    wait: async () => {},
    ...deps,
  }
  const stop = new AbortController()
  const file = new File(['x'], 'a.mp4')
  const start = () => {
    const { promise: headStart, resolve } = Promise.withResolvers<void>()
    const onState = (state: SoundState) => void states.push(state)
    const request = {
      file,
      durationMs: DURATION_MS,
      moduleId: 'm1',
      callApi,
      signal: stop.signal,
      onState,
      onHeadStart: resolve,
    }
    return { headStart, ended: sendSoundFirst(request, all).then(() => states.at(-1)) }
  }
  return { start, stop, told, asked, states, putParts, seen }
}

function makePart(part: number) {
  const startMs = part * 30_000
  const times = { audioStartMs: startMs, audioDurationMs: 32_500, startMs, endMs: startMs + 30_000 }
  return { part, ...times, bytes: new Uint8Array(1000), contentType: 'audio/mp4' as const }
}

const numbersOf = (told: AudioArrived[]) =>
  told.flatMap(({ parts }) => parts.map(({ part }: ClientAudioPart) => part)).toSorted((a, b) => a - b)

const broken = (status: number, code = 'http') => new ApiError({ status, code, message: 'no' })

describe('sendSoundFirst', () => {
  it('puts and reports every part: the first at once, then some at a time, the number of parts with the last', async () => {
    const { start, told, putParts, states, seen } = makeScene({ parts: 21 })
    const { headStart, ended } = start()
    await headStart
    expect(told[0]).toMatchObject({ durationMs: DURATION_MS, parts: [{ part: 0, sizeBytes: 1000 }], partCount: null })
    expect(await ended).toMatchObject({ phase: 'sent', sentParts: 21, sentBytes: 21_000, partCount: 21 })
    expect(putParts.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 21 }, (_, i) => i))
    expect([...new Set(numbersOf(told))]).toEqual(Array.from({ length: 21 }, (_, i) => i))
    expect(numbersOf(told).length).toBeLessThanOrEqual(22)
    expect(told.at(-1)?.parts.at(-1)?.part).toBe(20)
    expect(told.length).toBeLessThan(12)
    expect(told.map(({ partCount }) => partCount).filter((count) => count !== null)).toEqual([21])
    expect(told.at(-1)?.partCount).toBe(21)
    expect(states.map(({ sentParts }) => sentParts)).toEqual(
      states.map(({ sentParts }) => sentParts).toSorted((a, b) => a - b),
    )
    expect(seen.mostAtOnce).toBe(3)
  })

  it('declares the size of each part when it asks for its address', async () => {
    const { start, asked } = makeScene({ parts: 5 })
    await start().ended
    const numbered = asked.toSorted((a, b) => (a.parts[0]?.part ?? 0) - (b.parts[0]?.part ?? 0))
    const one = (part: number) => ({ parts: [{ part, sizeBytes: 1000 }], contentType: 'audio/mp4' })
    expect(numbered).toEqual([0, 1, 2, 3, 4].map(one))
  })

  it('asks for an address again that was not given', async () => {
    let isDown = true
    const onCall = (path: string) => {
      if (!path.endsWith('/audio-urls') || !isDown) return
      isDown = false
      throw broken(0, 'network')
    }
    const { start, asked } = makeScene({ parts: 2, onCall })
    expect((await start().ended)?.phase).toBe('sent')
    expect(new Set(asked.map(({ parts }) => parts[0]?.part))).toEqual(new Set([0, 1]))
    expect(asked).toHaveLength(2)
  })

  it('retries after a transient failure', async () => {
    const failures = new Map([[2, 3]])
    const putPart = vi.fn<SoundDeps['putPart']>(async ({ part }) => {
      const left = failures.get(part) ?? 0
      failures.set(part, left - 1)
      if (left > 0) throw broken(503)
    })
    let isDown = true
    const onCall = (path: string) => {
      if (!path.endsWith('/audio') || !isDown) return
      isDown = false
      throw broken(0, 'network')
    }
    const { start, told } = makeScene({ parts: 5, deps: { putPart }, onCall })
    expect(await start().ended).toMatchObject({ phase: 'sent', partCount: 5 })
    expect([...new Set(numbersOf(told))]).toEqual([0, 1, 2, 3, 4])
    expect(putPart).toHaveBeenCalledTimes(8)
  })

  it.each([
    ['storage refuses a part for good', { deps: { putPart: () => Promise.reject(broken(400)) } }],
    ['storage stays away', { deps: { putPart: () => Promise.reject(broken(503)) } }],
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
  ])('leaves the sound to the server when %s', async (_, scene) => {
    const { start, seen, told } = makeScene(scene)
    const { headStart, ended } = start()
    await headStart
    expect((await ended)?.phase).toBe('left_to_server')
    await vi.waitFor(() => expect(seen.isCutterEnded).toBe(true))
    expect(told.every(({ partCount }) => partCount === null)).toBe(true)
  })

  it('leaves the sound to the server when the file cannot be read, at whatever point', async () => {
    for (const at of [0, 1, 4]) {
      const scene = makeScene()
      async function* cut(): ReturnType<SoundDeps['cut']> {
        if (at > 0) yield { facts: { durationMs: DURATION_MS, contentType: 'audio/ogg', estimatedParts: 9 } }
        for (let part = 0; part < at - 1; part++) yield { part: makePart(part) }
        throw new Error('MediaFault: broken')
      }
      const { start, told } = makeScene({ deps: { cut } })
      expect((await start().ended)?.phase, `${at}`).toBe('left_to_server')
      expect(told.every(({ partCount }) => partCount === null)).toBe(true)
      expect(scene.told).toEqual([])
    }
  })

  it('says nothing to the server of a video without sound', async () => {
    async function* cut(): ReturnType<SoundDeps['cut']> {}
    const { start, told, asked } = makeScene({ deps: { cut } })
    expect((await start().ended)?.phase).toBe('left_to_server')
    expect([told, asked]).toEqual([[], []])
  })

  it('does not mind a player that knows no length', async () => {
    const { start } = makeScene({ deps: { readDurationMs: async () => null } })
    expect((await start().ended)?.phase).toBe('sent')
  })

  it('ends when the upload is cancelled, and reports nothing after that', async () => {
    const scene = makeScene({
      deps: {
        putPart: ({ signal }) =>
          new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
      },
    })
    const { ended, headStart } = scene.start()
    await vi.waitFor(() => expect(scene.states.at(-1)?.phase).toBe('sending'))
    scene.stop.abort()
    await headStart
    expect((await ended)?.phase).toBe('left_to_server')
    expect(scene.told).toEqual([])
  })
})
