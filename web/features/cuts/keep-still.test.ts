import { expect, test } from 'vitest'
import type { DrawFrames } from '#web/lib/step-images.ts'
import { keepStill } from './keep-still.ts'

const PAUSE = { kind: 'pause', start: 10, end: 18 } as const
const LATER = { kind: 'pause', start: 30, end: 34 } as const
const FALSE_START = { kind: 'falseStart', start: 50, end: 52 } as const

/** A screen of one colour at each moment. */
function show(colourAt: (timeMs: number) => number | null): DrawFrames & { times: number[] } {
  const times: number[] = []
  async function* draw(timesMs: readonly number[]) {
    for (const timeMs of timesMs) {
      times.push(timeMs)
      const colour = colourAt(timeMs)
      const data = new Uint8ClampedArray(64 * 36 * 4).fill(colour ?? 0)
      const canvas = {
        width: 64,
        height: 36,
        getContext: () => ({ getImageData: () => ({ data, width: 64, height: 36 }) }),
      }
      yield colour === null ? null : (canvas as unknown as OffscreenCanvas)
    }
  }
  return Object.assign(draw, { times })
}

test('keeps pauses in which nothing is to be seen, and all false starts', async () => {
  const draw = show(() => 90)
  expect(await keepStill([PAUSE, LATER, FALSE_START], draw)).toEqual([PAUSE, LATER, FALSE_START])
  expect(draw.times).toEqual([10_000, 14_000, 18_000, 30_000, 34_000])
})

test('a pause in which the screen changes is work', async () => {
  expect(
    await keepStill(
      [PAUSE, LATER],
      show((timeMs) => (timeMs > 12_000 && timeMs < 20_000 ? 200 : 90)),
    ),
  ).toEqual([LATER])
})

test('also one in which it changes and is as it was before', async () => {
  expect(
    await keepStill(
      [PAUSE],
      show((timeMs) => (timeMs === 14_000 ? 200 : 90)),
    ),
  ).toEqual([])
})

test('keeps no pause that cannot be seen', async () => {
  expect(await keepStill([PAUSE, FALSE_START], null)).toEqual([FALSE_START])
  expect(
    await keepStill(
      [PAUSE],
      show(() => null),
    ),
  ).toEqual([])
})
