import { describe, expect, it } from 'vitest'
import { isInCut, measureFrame, planLooks, planMoments, rankFrames } from './choose-frame.ts'
import type { Pixels } from './find-scenes.ts'

const [WIDTH, HEIGHT] = [320, 180]

/** A frame whose lightness at each place is drawn. */
function draw(lightAt: (x: number, y: number) => number): Pixels {
  const data = new Uint8Array(WIDTH * HEIGHT * 4)
  for (let at = 0; at < WIDTH * HEIGHT; at++) {
    const light = lightAt(at % WIDTH, Math.floor(at / WIDTH))
    data.set([light, light, light, 255], at * 4)
  }
  return { data, width: WIDTH, height: HEIGHT }
}

/** Lines of dark words on a light page, of which few pixels are ink. */
const page = draw((x, y) => (y % 30 < 8 && y > 20 && y < 120 && x > 30 && x < 200 && x % 7 < 2 ? 30 : 240))
/** A bench with parts on it: large areas with edges. */
const bench = draw((x, y) => ((Math.floor(x / 40) + Math.floor(y / 45)) % 2 === 0 ? 70 : 150))
const black = draw((x, y) => (x > 150 && x < 156 && y > 80 && y < 86 ? 255 : 4))
const plain = draw(() => 200)

/** The mean of each pixel and those so near to it, three times over: near to a Gaussian blur. */
function blur(frame: Pixels, radius: number): Pixels {
  let light = Float64Array.from({ length: WIDTH * HEIGHT }, (_, at) => frame.data[at * 4] ?? 0)
  for (let pass = 0; pass < 3; pass++) {
    for (const step of [1, WIDTH]) {
      light = light.map((_, at) => {
        let [sum, n] = [0, 0]
        for (let by = -radius; by <= radius; by++) {
          const value = light[at + by * step]
          if (value !== undefined) [sum, n] = [sum + value, n + 1]
        }
        return sum / n
      })
    }
  }
  return draw((x, y) => light[y * WIDTH + x] ?? 0)
}

/** Half of one frame and half of another, as in the middle of a cross-fade. */
const mix = (one: Pixels, other: Pixels) =>
  draw((x, y) => ((one.data[(y * WIDTH + x) * 4] ?? 0) + (other.data[(y * WIDTH + x) * 4] ?? 0)) / 2)

const rank = (...frames: Pixels[]) => rankFrames(frames.map((pixels, timeMs) => ({ timeMs, pixels })))

describe('planMoments', () => {
  it('looks at five moments of the first third of a step', () => {
    expect(planMoments({ startMs: 10_000, endMs: 40_000 })).toEqual([11_000, 13_000, 15_000, 17_000, 19_000])
  })

  it('looks at the beginning of a step without length', () => {
    expect(planMoments({ startMs: 5_000, endMs: 5_000 })).toEqual([5_000, 5_000, 5_000, 5_000, 5_000])
  })
})

describe('planLooks', () => {
  it('looks before and after a moment, and never outside of its step', () => {
    expect(planLooks(11_000, { startMs: 10_000, endMs: 40_000 })).toEqual([10_850, 11_150])
    expect(planLooks(10_050, { startMs: 10_000, endMs: 10_100 })).toEqual([10_000, 10_100])
  })
})

describe('measureFrame', () => {
  it.each([
    ['a page', page],
    ['a bench', bench],
  ])('finds less sharpness and flatter edges in %s the more it is blurred', (_, frame) => {
    const measured = [frame, blur(frame, 1), blur(frame, 3), blur(frame, 6)].map(measureFrame)
    for (const [at, { sharpness, edge }] of measured.slice(1).entries()) {
      expect(sharpness).toBeLessThan(measured[at]?.sharpness ?? 0)
      expect(edge).toBeLessThan(measured[at]?.edge ?? 0)
    }
  })

  it('does not count the few pixels of a logo on black', () => {
    expect(measureFrame(black).range).toBe(0)
    expect(measureFrame(bench).range).toBe(80)
  })
})

describe('rankFrames', () => {
  it('has the sharpest first, and the first of equals', () => {
    const soft = blur(bench, 1)
    expect(rank(soft, bench, bench, soft)).toEqual([1, 2, 0, 3])
    expect(rank()).toEqual([])
  })

  it('leaves out what is black or of one colour', () => {
    expect(rank(black, plain, blur(page, 1))).toEqual([2])
  })

  it.each([
    ['a page', page],
    ['a bench', bench],
  ])('leaves out frames in which all of %s is blurred, but not one that is a little soft', (_, frame) => {
    expect(rank(blur(frame, 5), blur(frame, 8), blur(frame, 1))).toEqual([2])
  })
})

describe('isInCut', () => {
  it('finds a cut, and a cross-fade between half and half', () => {
    expect(isInCut(bench, page)).toBe(true)
    expect(isInCut(mix(page, bench), bench)).toBe(true)
    expect(isInCut(page, page)).toBe(false)
  })

  it('takes a hand that moves for no cut', () => {
    const hand = (atX: number) =>
      draw((x, y) => (Math.abs(x - atX) < 25 && y > 90 ? 220 : (bench.data[(y * WIDTH + x) * 4] ?? 0)))
    expect(isInCut(hand(100), hand(130))).toBe(false)
  })
})
