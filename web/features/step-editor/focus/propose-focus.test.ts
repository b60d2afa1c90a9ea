import { expect, test } from 'vitest'
import type { DrawFrames } from '#web/lib/step-images.ts'
import { proposeFocus } from './propose-focus.ts'

const STEP = { startS: 10, endS: 26 }

/** A grey picture whose lower right quarter is of another shade at some moments; null where it cannot be drawn. */
function show(shadeAt: (timeMs: number) => number | null, size = { width: 64, height: 36 }) {
  const times: number[] = []
  const draw: DrawFrames = async function* drawAll(timesMs) {
    for (const timeMs of timesMs) {
      times.push(timeMs)
      const shade = shadeAt(timeMs)
      const data = Uint8ClampedArray.from({ length: size.width * size.height * 4 }, (_, index) => {
        const [x, y] = [Math.floor(index / 4) % size.width, Math.floor(index / 4 / size.width)]
        return x >= size.width / 2 && y >= size.height / 2 ? (shade ?? 0) : 90
      })
      const canvas = { ...size, getContext: () => ({ getImageData: () => ({ data, ...size }) }) }
      yield shade === null ? null : (canvas as unknown as OffscreenCanvas)
    }
  }
  return { draw, times }
}

const blink = (timeMs: number) => (timeMs < 18_000 ? 90 : 220)

test('proposes the part of a step in which something happens, and looks at the step alone', async () => {
  const { draw, times } = show(blink)
  const found = await proposeFocus(draw, STEP)
  expect(found).toEqual({ x: 44, y: 44, width: 56, height: 56 })
  expect([times[0], times.at(-1), times.length]).toEqual([11_000, 25_000, 8])
})

test('places it between the bars of an upright video', async () => {
  const { draw } = show(blink, { width: 36, height: 64 })
  const found = await proposeFocus(draw, STEP)
  expect(found).toMatchObject({ y: 44, height: 56, width: 20 })
  expect(found?.x).toBeGreaterThanOrEqual(48)
})

test('proposes nothing where nothing changes, or nothing can be drawn', async () => {
  expect(await proposeFocus(show(() => 90).draw, STEP)).toBeNull()
  expect(await proposeFocus(show(() => null).draw, STEP)).toBeNull()
})
