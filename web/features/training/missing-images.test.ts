import { describe, expect, it, vi } from 'vitest'
import type { StepImage } from '#contract/step.ts'
import type { CallApi } from '#web/lib/api.ts'
import { ApiError } from '#web/lib/api-error.ts'
import type { ImageMaker } from '#web/lib/step-images.ts'
import { MissingImages } from './missing-images.ts'

const IMAGE = new Blob(['x'], { type: 'image/webp' })
const POSTER_URL = '/media/m1/images/poster?ticket=t'

const makeStep = (start: number, image: string | null, imageAt: StepImage = null) => ({
  start,
  end: start + 30,
  image,
  imageAt,
})
const makeShown = (steps: ReturnType<typeof makeStep>[], posterUrl: string | null = POSTER_URL) => {
  return { id: 'm1', totalDuration: 100, posterUrl, steps }
}

function open({ canShow = true, fails = null as Error | null, bad = [] as number[], playsFor = 0 } = {}) {
  const kept: string[] = []
  const shown: string[] = []
  const asked: unknown[] = []
  const waits: number[] = []
  const stop = new AbortController()
  const callApi = (async ({ path }: { path: string }) => {
    if (fails !== null) throw fails
    kept.push(path.replace('/api/modules/m1/images/', ''))
  }) as unknown as CallApi
  const maker: ImageMaker = {
    makePoster: async (timeMs) => (asked.push(timeMs), IMAGE),
    makeStep: async (span) => (
      asked.push(span), bad.includes(span.startMs) ? null : { small: IMAGE, large: IMAGE, wide: null }
    ),
    makeAt: async (timeMs) => (asked.push(timeMs), { small: IMAGE, large: null, wide: null }),
  }
  let plays = playsFor
  const refresh = vi.fn(async () => {})
  const openVideo = vi.fn(async () => (canShow ? maker : null))
  const onFull = vi.fn()
  const images = new MissingImages({
    callApi,
    open: openVideo,
    refresh,
    isPlaying: () => plays-- > 0,
    wait: async (delayMs) => void waits.push(delayMs),
    onKept: (name) => shown.push(name),
    onFull,
    signal: stop.signal,
  })
  const done = () => vi.waitFor(() => expect(Reflect.get(images, 'isAtWork')).toBe(false))
  return { images, kept, shown, asked, waits, refresh, openVideo, onFull, stop, done }
}

describe('MissingImages', () => {
  it('makes the poster and both images of each step that has none of its own', async () => {
    const { images, kept, shown, asked, done } = open()
    images.note(makeShown([makeStep(0, null), makeStep(12.5, null)], null))
    await done()
    expect(kept).toEqual(['poster', 'step-0-960', 'step-0', 'step-12500-960', 'step-12500'])
    expect(shown).toEqual(['poster', 'step-0', 'step-12500'])
    expect(asked).toEqual([10_000, { startMs: 0, endMs: 30_000 }, { startMs: 12_500, endMs: 42_500 }])
  })

  it('says once that there is no room for more, and tries no other then', async () => {
    const fails = new ApiError({ status: 413, code: 'images_full', message: 'No room.' })
    const { images, openVideo, onFull, done } = open({ fails })
    const info = vi.spyOn(console, 'info').mockImplementation(() => {})
    const shown = makeShown([makeStep(0, null), makeStep(40, null)])
    for (let time = 0; time < 2; time++) {
      images.note(shown)
      await done()
    }
    expect([onFull.mock.calls.length, openVideo.mock.calls.length, info.mock.calls.length]).toEqual([1, 1, 0])
    info.mockRestore()
  })

  it('makes what a person has chosen, and nothing where they want no image', async () => {
    const { images, kept, asked, done } = open()
    images.note(makeShown([makeStep(0, 'poster', 4.25), makeStep(40, null, 'none')]))
    await done()
    expect([kept, asked]).toEqual([['at-4250'], [4_250]])
  })

  it('makes what an earlier video has an image of, and leaves out what its own has one of', async () => {
    const { images, kept, shown, done } = open()
    const taken = { videoMark: 'r1' }
    images.note(
      makeShown([
        { ...makeStep(0, 'poster'), ...taken },
        { ...makeStep(40, 'r1.step-40000'), ...taken },
      ]),
    )
    await done()
    expect(kept).toEqual(['r1.step-0-960', 'r1.step-0'])
    expect(shown).toEqual(['r1.step-0'])
  })

  it('opens no video where nothing is missing, and none where another tab has made it meanwhile', async () => {
    const { images, refresh, openVideo, done } = open()
    images.note(makeShown([makeStep(0, 'step-0')]))
    refresh.mockImplementation(async () => images.note(makeShown([makeStep(0, 'step-0')])))
    images.note(makeShown([makeStep(0, 'poster')]))
    await done()
    expect([refresh.mock.calls.length, openVideo.mock.calls.length]).toEqual([1, 0])
  })

  it('makes the image of a step that begins elsewhere now, and tries none twice', async () => {
    const { images, kept, asked, done } = open({ bad: [0] })
    images.note(makeShown([makeStep(0, 'poster'), makeStep(40, 'step-40000')]))
    await done()
    images.note(makeShown([makeStep(0, 'poster'), makeStep(41, 'poster')]))
    await done()
    expect(kept).toEqual(['step-41000-960', 'step-41000'])
    expect(asked).toHaveLength(2)
  })

  it('leaves the line to the video while that plays', async () => {
    const { images, kept, waits, done } = open({ playsFor: 3 })
    images.note(makeShown([makeStep(0, 'poster')]))
    await done()
    expect([kept.length, waits]).toEqual([2, [2_000, 2_000, 2_000, 2_000]])
  })

  it('does nothing after the page is left', async () => {
    const { images, openVideo, stop, done } = open()
    stop.abort()
    images.note(makeShown([makeStep(0, 'poster')]))
    await done()
    expect(openVideo).not.toHaveBeenCalled()
  })

  it('keeps nothing of a video that cannot be shown, and does not complain when the line is away', async () => {
    const info = vi.spyOn(console, 'info').mockImplementation(() => {})
    const dark = open({ canShow: false })
    dark.images.note(makeShown([makeStep(0, 'poster')]))
    await dark.done()
    expect(dark.kept).toEqual([])
    const away = open({ fails: new Error('no line') })
    away.images.note(makeShown([makeStep(0, 'poster')]))
    await away.done()
    expect(info).toHaveBeenCalledOnce()
    info.mockRestore()
  })
})
