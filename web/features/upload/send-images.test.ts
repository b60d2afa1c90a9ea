import { describe, expect, it } from 'vitest'
import type { CallApi } from '#web/lib/api.ts'
import { ApiError } from '#web/lib/api-error.ts'
import type { LoadedModule } from '#web/lib/module-cache.ts'
import { type ImagesDeps, sendImages } from './send-images.ts'

const FILE = new File(['x'], 'a.mp4')

/** In the order in which they are kept. */
const bothSizes = (name: string) => [`${name}-960`, name]

interface Look {
  status: string
  failureCode?: string | null
  starts: number[]
}

const moduleOf = ({ status, failureCode = null, starts }: Look) =>
  ({ status, failureCode, steps: starts.map((start) => ({ start, end: start + 10 })) }) as unknown as LoadedModule

/** A module with the given state at each request; images are drawn at every time except `undrawable`. */
function makeScene({
  looks,
  undrawable = [],
  scenesMs = [],
  watched = [],
}: {
  looks: (Look | ApiError)[]
  /** What a page of the tab has of the module, look after look. */
  watched?: Look[]
  undrawable?: number[]
  /** An error where the browser cannot look for them. */
  scenesMs?: number[] | Error
}) {
  const kept: string[] = []
  const offered: unknown[] = []
  const widths = new Set<string>()
  const lengths = new Set<number>()
  const shown: string[] = []
  let waits = 0
  const callApi = (async ({ path, method, body }: { path: string; method?: string; body?: unknown }) => {
    if (path.endsWith('/proposals')) {
      offered.push(method, body)
      return { success: true, proposals: [] }
    }
    if (method === 'PUT') {
      kept.push(path.replace('/api/modules/m1/images/', ''))
      return { success: true }
    }
    const look = looks.shift()
    if (look instanceof ApiError || look === undefined) throw look ?? new Error('No more looks were expected')
    return { module: moduleOf(look) }
  }) as CallApi
  const draw: ImagesDeps['draw'] = async function* ({ timesMs, maxWidthPx }) {
    for (const timeMs of timesMs) {
      if (undrawable.includes(timeMs)) continue
      widths.add(`${maxWidthPx}`)
      yield { timeMs, blob: new Blob(['image'], { type: 'image/webp' }) }
    }
  }
  const drawSteps: ImagesDeps['drawSteps'] = async function* ({ spans }) {
    for (const { startMs, endMs } of spans) {
      lengths.add(endMs - startMs)
      const image = new Blob(['image'], { type: 'image/webp' })
      if (!undrawable.includes(startMs)) yield { startMs, small: image, large: image, wide: null }
    }
  }
  const wait = async () => void waits++
  const findScenes = async () => {
    if (scenesMs instanceof Error) throw scenesMs
    return scenesMs
  }
  const { signal } = new AbortController()
  const run = () =>
    sendImages(
      {
        file: FILE,
        moduleId: 'm1',
        durationMs: 60_000,
        callApi,
        signal,
        onKept: (name) => shown.push(name),
        findWatched: () => watched.splice(0, 1).map(moduleOf)[0] ?? null,
      },
      { draw, drawSteps, wait, findScenes },
    )
  return { run, kept, offered, widths, lengths, shown, waits: () => waits, left: () => looks.length }
}

describe('sendImages', () => {
  it('keeps a poster, and each step once as the steps come, until the module is no longer at work', async () => {
    const { run, kept, widths, lengths, shown, waits } = makeScene({
      looks: [
        { status: 'PROCESSING', starts: [] },
        { status: 'PROCESSING', starts: [0, 12.5] },
        { status: 'READY', starts: [0, 12.5, 40] },
      ],
    })
    await run()
    expect(kept).toEqual(['poster', ...['step-0', 'step-12500', 'step-40000'].flatMap(bothSizes)])
    expect(shown).toEqual(['poster', 'step-0', 'step-12500', 'step-40000'])
    expect([[...widths], [...lengths]]).toEqual([['640'], [10_000]])
    expect(waits()).toBe(2)
  })

  it('asks for nothing while a page of the tab watches the module, and reads its last steps from the server', async () => {
    const { run, kept, left } = makeScene({
      watched: [
        { status: 'PROCESSING', starts: [0] },
        { status: 'PROCESSING', starts: [0, 12.5] },
        { status: 'READY', starts: [0, 12.5] },
      ],
      looks: [{ status: 'READY', starts: [0, 12.5, 40] }],
    })
    await run()
    expect(kept).toEqual(['poster', ...['step-0', 'step-12500', 'step-40000'].flatMap(bothSizes)])
    expect(left()).toBe(0)
  })

  it('offers the scenes of a video without speech, each with its image, and looks no more', async () => {
    const { run, kept, offered, lengths, left } = makeScene({
      looks: [
        { status: 'PROCESSING', starts: [] },
        { status: 'PROCESSING', failureCode: 'no_narration', starts: [] },
        { status: 'FAILED', starts: [] },
      ],
      scenesMs: [0, 12_500],
    })
    await run()
    expect(kept).toEqual(['poster', ...bothSizes('step-0'), ...bothSizes('step-12500')])
    expect([...lengths]).toEqual([12_500, 47_500])
    expect(offered).toEqual(['PUT', { starts: [0, 12.5] }])
    expect(left()).toBe(1)
  })

  it('sendImages also says that there are none, and names scenes whose image cannot be drawn', async () => {
    const looks = [{ status: 'FAILED', failureCode: 'no_audio', starts: [] }]
    const none = makeScene({ looks: [...looks] })
    await none.run()
    expect(none.offered).toEqual(['PUT', { starts: [] }])
    const unseen = makeScene({ looks: [...looks], scenesMs: [0, 9_000], undrawable: [9_000] })
    await unseen.run()
    expect([unseen.kept, unseen.offered]).toEqual([
      ['poster', ...bothSizes('step-0')],
      ['PUT', { starts: [0, 9] }],
    ])
  })

  it('says nothing of scenes that it could not look for, so that the server still waits for them', async () => {
    const looks = [{ status: 'PROCESSING', failureCode: 'no_narration', starts: [] }]
    const { run, kept, offered } = makeScene({ looks, scenesMs: new Error('No decoder') })
    await run()
    expect([kept, offered]).toEqual([['poster'], []])
  })

  it('asks for nothing where the browser cannot decode the video', async () => {
    const { run, kept, left } = makeScene({ looks: [{ status: 'READY', starts: [1] }], undrawable: [6000] })
    await run()
    expect([kept, left()]).toEqual([[], 1])
  })

  it('looks again after a failure that can pass, and ends silently after another', async () => {
    const busy = new ApiError({ status: 503, code: 'unavailable', message: 'busy' })
    const gone = new ApiError({ status: 404, code: 'not_found', message: 'gone' })
    const { run, kept, left } = makeScene({ looks: [busy, { status: 'PROCESSING', starts: [3] }, gone] })
    await run()
    expect(kept).toEqual(['poster', ...bothSizes('step-3000')])
    expect(left()).toBe(0)
  })
})
