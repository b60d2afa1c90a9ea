import { beforeEach, describe, expect, it, vi } from 'vitest'
import type { AudioTrack } from '#contract/module.ts'
import type { CallApi } from '#web/lib/api.ts'
import { ApiError } from '#web/lib/api-error.ts'
import { makeModuleAnswer } from '#web/testing/page-harness.tsx'
import type { FilePut } from '../put-file.ts'
import type { CopyOrder, MadeCopy } from './copy-messages.ts'
import { TRIES_MAX } from './copy-tries.ts'
import type { CopyWait } from './copy-wait.ts'
import { type CopyDeps, type CopyRequest, makeModuleCopy } from './make-module-copy.ts'

const COPY: MadeCopy = { file: new Blob(['a small video']), codec: 'avc1.64001f' }
type Sent = { path: string; method?: string; body?: unknown }

interface World {
  lacksSmallCopy?: boolean
  file?: Blob | null
  cuts?: CopyRequest['cuts']
  audioTracks?: AudioTrack[]
  videoId?: string
  /** Answers of the storage, in order; 200 afterwards. */
  statuses?: number[]
  made?: () => Promise<MadeCopy>
  hasRoom?: boolean
  /** Calls whose answers do not come, by their method, before one does. */
  unanswered?: Record<string, number>
  durationS?: number
  signal?: AbortSignal
}

/** A module with steps, a server and a browser that make its copy. */
function open({ lacksSmallCopy = true, cuts = null, statuses = [], made, ...more }: World = {}) {
  const { file = new Blob(['all']) } = more
  const sent: Sent[] = []
  const orders: CopyOrder[] = []
  const puts: FilePut[] = []
  const rooms: number[] = []
  const waits: (CopyWait | null)[] = []
  const unanswered = { ...more.unanswered }
  let [signed, removals] = [0, 0]
  const callApi = (async (call: Sent) => {
    const method = call.method ?? 'GET'
    if ((unanswered[method] ?? 0) > 0) {
      unanswered[method] = (unanswered[method] ?? 0) - 1
      throw new ApiError({ status: 0, code: 'network', message: 'no answer' })
    }
    if (call.method !== undefined) sent.push(call)
    if (call.method === 'POST')
      return { success: true, url: `https://storage/small${signed || ''}`, key: `small/m1/k${signed++ || ''}` }
    if (call.path.startsWith('/api/video-url')) return { success: true, url: '/media/m1/video?ticket=t' }
    return makeModuleAnswer({
      id: 'm1',
      lacksSmallCopy,
      audioTracks: more.audioTracks ?? [],
      videoId: more.videoId ?? null,
      ...(more.durationS !== undefined && { totalDuration: more.durationS }),
    })
  }) as unknown as CallApi
  const deps: CopyDeps = {
    runWorker: async (order) => {
      orders.push(order)
      return made === undefined ? COPY : made()
    },
    putFile: async (put) => {
      puts.push(put)
      return { status: statuses.shift() ?? 200, etag: null }
    },
    hasRoomFor: async (sizeBytes) => {
      rooms.push(sizeBytes)
      return more.hasRoom ?? true
    },
    removeCopies: async () => void (removals += 1),
    timing: { minTimeout: 1, whenOnline: () => Promise.resolve() },
  }
  const request = {
    moduleId: 'm1',
    file,
    cuts,
    callApi,
    signal: more.signal ?? new AbortController().signal,
    findWait: () => null,
    onWait: (wait: CopyWait | null) => void waits.push(wait),
  }
  return { sent, orders, puts, rooms, waits, removals: () => removals, make: () => makeModuleCopy(request, deps) }
}

beforeEach(() => localStorage.clear())

describe('makeModuleCopy', () => {
  it('makes the copy of the picked file, with a frame to jump to at each step, sends it and says so', async () => {
    const world = open()
    expect(await world.make()).toBe('made')
    expect(world.orders[0]?.stepStartsMs).toEqual([1_000, 15_000, 3_725_000])
    expect(world.puts[0]).toMatchObject({ url: 'https://storage/small', file: COPY?.file, contentType: 'video/mp4' })
    const path = '/api/modules/m1/small-copy'
    expect(world.sent).toMatchObject([
      { path, method: 'POST', body: { videoId: 'm1', sizeBytes: 13 } },
      { path, method: 'PUT', body: { videoId: 'm1', key: 'small/m1/k', codec: 'avc1.64001f' } },
    ])
    // What a page has left that was closed meanwhile, and its own.
    expect(world.removals()).toBe(2)
  })

  it.each([
    ['the track that the steps are of', ['played', 'transcribed'], 2],
    ['the one of all speakers that the original plays', ['transcribed', 'played transcribed'], 2],
    ['the one of Adapt where the steps are of captions', ['played', ''], null],
    ['its only one', [], null],
  ])('takes %s', async (_, marks, expected) => {
    const audioTracks = marks.map((mark, at) => {
      const isPlayed = mark.includes('played')
      return { trackId: at + 1, language: null, name: null, isPlayed, isTranscribed: mark.includes('transcribed') }
    })
    const world = open({ audioTracks })
    await world.make()
    expect(world.orders[0]?.audioTrackId).toBe(expected)
  })

  it('reads the stored video where no file is at hand', async () => {
    const world = open({ file: null, videoId: 'm2' })
    await world.make()
    expect(world.orders[0]?.video).toBe('/media/m1/video?ticket=t')
    expect(world.sent.map(({ body }) => body)).toMatchObject([{ videoId: 'm2' }, { videoId: 'm2' }])
  })

  it('says that a copy would save too little, so that nobody tries again', async () => {
    const world = open({ made: async () => null })
    expect(await world.make()).toBe('made')
    expect(world.sent).toMatchObject([{ method: 'PUT', body: { videoId: 'm1', savesTooLittle: true } }])
    expect(world.puts).toEqual([])
  })

  it('gives up where what lacks something is to be made whole, and that would save too little', async () => {
    for (let time = 0; time < TRIES_MAX; time++) expect(await open({ made: async () => null }).make()).toBe('made')
    expect(await open({ made: async () => null }).make()).toBe('given up')
  })

  it('makes none where there is one by now', async () => {
    const world = open({ lacksSmallCopy: false })
    expect(await world.make()).toBe('not needed')
    expect(world.orders).toEqual([])
  })

  it('makes it again without what a person has left out, as often as that is asked', async () => {
    for (let time = 0; time <= TRIES_MAX; time++) {
      const world = open({ lacksSmallCopy: false, cuts: [[10, 20]] })
      expect(await world.make()).toBe('made')
      expect(world.orders[0]?.cuts).toEqual([[10, 20]])
      expect(world.sent.at(-1)?.body).toEqual({
        videoId: 'm1',
        key: 'small/m1/k',
        codec: 'avc1.64001f',
        cuts: [[10, 20]],
      })
    }
  })

  it('sends again what did not arrive', async () => {
    const world = open({ statuses: [0, 503] })
    expect(await world.make()).toBe('made')
    expect(world.puts).toHaveLength(3)
  })

  it('asks for another address where one is no longer good, as for hours of video on a slow line', async () => {
    const world = open({ statuses: [403] })
    expect(await world.make()).toBe('made')
    expect(world.puts.map(({ url }) => url)).toEqual(['https://storage/small', 'https://storage/small1'])
    expect(world.sent.at(-1)?.body).toMatchObject({ key: 'small/m1/k1' })
  })

  it.each(['POST', 'PUT'])(
    'asks again where no answer comes to a %s, as on a machine that wakes up',
    async (method) => {
      const world = open({ unanswered: { [method]: 2 } })
      expect(await world.make()).toBe('made')
      expect(world.orders).toHaveLength(1)
      expect(world.sent.map((call) => call.method)).toEqual(['POST', 'PUT'])
    },
  )

  it('needs room for as much as the copy may get', async () => {
    const [short, long] = [open({ durationS: 60 }), open({ durationS: 4 * 3_600 })]
    await short.make()
    await long.make()
    expect(short.rooms).toEqual([300_000_000])
    expect(long.rooms).toEqual([2_390_400_000])
  })

  it('says that it waits for another tab, and goes on after it', async () => {
    const other = Promise.withResolvers<void>()
    const request = vi.fn(async (_name: string, _options: object, make: () => Promise<unknown>) => {
      await other.promise
      return make()
    })
    Object.defineProperty(navigator, 'locks', { value: { request }, configurable: true })
    vi.useFakeTimers()
    const world = open()
    const made = world.make()
    await vi.advanceTimersByTimeAsync(500)
    expect(world.waits).toEqual([])
    await vi.advanceTimersByTimeAsync(1_000)
    expect(world.waits).toEqual(['tab'])
    other.resolve()
    vi.useRealTimers()
    expect(await made).toBe('made')
    expect(world.waits).toEqual(['tab', null])
    Reflect.deleteProperty(navigator, 'locks')
  })

  it('counts no try whose page is ended while nobody sees it, and one that fails then', async () => {
    const visibility = vi.spyOn(document, 'visibilityState', 'get')
    const hide = () => {
      visibility.mockReturnValue('hidden')
      document.dispatchEvent(new Event('visibilitychange'))
    }
    for (let time = 0; time <= TRIES_MAX; time++) {
      // A page of its own.
      visibility.mockReturnValue('visible')
      const { promise: hidden, resolve } = Promise.withResolvers<void>()
      const made = () => {
        hide()
        resolve()
        // Nothing that such a page does comes to an end.
        return new Promise<never>(() => {})
      }
      void open({ made }).make()
      await hidden
    }
    for (let time = 0; time < TRIES_MAX; time++)
      await expect(open({ made: () => Promise.reject(new Error('no encoder')) }).make()).rejects.toThrow('no encoder')
    expect(await open().make()).toBe('given up')
    visibility.mockRestore()
  })

  it.each([
    ['is closed', () => window.dispatchEvent(new PageTransitionEvent('pagehide'))],
    ['stops it', (stop: AbortController) => stop.abort()],
  ])('counts no try that ends early since its page %s', async (_, leave) => {
    for (let time = 0; time <= TRIES_MAX; time++) {
      const stop = new AbortController()
      // As the worker ends when it is stopped; a page that is closed never gets there.
      const made = async () => {
        leave(stop)
        throw new Error('left')
      }
      await expect(open({ made, signal: stop.signal }).make()).rejects.toThrow('left')
    }
    expect(await open().make()).toBe('made')
  })

  it.each([
    ['encoding', { made: () => Promise.reject(new Error('no encoder')) }, 'no encoder'],
    ['sending', { statuses: [500, 500, 500, 500] }, 'not stored: 500'],
    ['storage', { hasRoom: false }, 'is full'],
  ])('records nothing and keeps nothing where %s fails, and gives up after some times', async (_, world, message) => {
    for (let time = 0; time < TRIES_MAX; time++) {
      const { make, sent, removals } = open({ ...world, ...('statuses' in world && { statuses: [...world.statuses] }) })
      await expect(make()).rejects.toThrow(message)
      expect(sent.filter(({ method }) => method === 'PUT')).toEqual([])
      expect(removals()).toBe(2)
    }
    const last = open()
    expect(await last.make()).toBe('given up')
    // Also what the last of them has left.
    expect(last.removals()).toBe(1)
    expect(last.orders).toEqual([])
  })

  it('counts anew after it has succeeded', async () => {
    for (let time = 0; time <= TRIES_MAX; time++) expect(await open().make()).toBe('made')
  })
})
