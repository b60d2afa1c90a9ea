import { describe, expect, it } from 'vitest'
import { findScenes, planSamples, type Sample, toCells } from './find-scenes.ts'
import { makeRecording, RECORDING_KINDS, type RecordingKind } from './testing/make-recordings.ts'

/** Seeds 1 to 8 are those that the thresholds were chosen on. */
const SEEDS = [101, 102, 103]
/** A scene that begins a moment earlier or later is the same for a person. */
const NEAR_MS = 2_000

function lookAt(kind: RecordingKind, seed: number) {
  const { durationMs, cutsMs, frameAt } = makeRecording(kind, seed)
  const samples = planSamples(durationMs).map((timeMs) => ({ timeMs, cells: toCells(frameAt(timeMs)) }))
  return { cutsMs, found: findScenes(samples, { durationMs, most: 60 }).filter((startMs) => startMs > 0) }
}

/** How many of some times have one of the others near them. */
const countNear = (some: number[], others: number[]) =>
  some.filter((one) => others.some((other) => Math.abs(one - other) <= NEAR_MS)).length

const WITH_SCENES = RECORDING_KINDS.filter((kind) => kind !== 'pan' && kind !== 'flashes')

describe('findScenes', () => {
  it.each(WITH_SCENES)(
    'finds nine of ten scenes of recordings of %s, and nine of ten that it finds are scenes',
    (kind) => {
      const seen = SEEDS.map((seed) => lookAt(kind, seed))
      const sum = (of: (one: (typeof seen)[number]) => number) => seen.reduce((all, one) => all + of(one), 0)
      const all = sum(({ cutsMs }) => cutsMs.length)
      const found = sum((one) => one.found.length)
      expect(sum((one) => countNear(one.cutsMs, one.found)) / all).toBeGreaterThanOrEqual(0.9)
      expect(sum((one) => countNear(one.found, one.cutsMs)) / found).toBeGreaterThanOrEqual(0.9)
    },
  )

  it.each(['pan', 'flashes'] as const)('finds no scenes where there is only a %s', (kind) => {
    expect(SEEDS.map((seed) => lookAt(kind, seed).found)).toEqual(SEEDS.map(() => []))
  })

  /** A video that shows one grey after the other, each from a second on. */
  function shades(durationMs: number, changes: readonly (readonly [fromS: number, grey: number])[]): Sample[] {
    const greyAt = (timeMs: number) => changes.findLast(([fromS]) => fromS * 1000 <= timeMs)?.[1] ?? 0
    return planSamples(durationMs).map((timeMs) => ({ timeMs, cells: new Uint8Array(12).fill(greyAt(timeMs)) }))
  }

  const THIRTY_S = { durationMs: 30_000, most: 60 }

  it('begins the first scene at 0, and each other where it is seen first', () => {
    expect(
      findScenes(
        shades(30_000, [
          [0, 0],
          [8, 200],
          [20, 90],
        ]),
        THIRTY_S,
      ),
    ).toEqual([0, 8_000, 20_000])
  })

  it('has no scene that is shorter than a step may be, at the end neither', () => {
    expect(
      findScenes(
        shades(30_000, [
          [0, 0],
          [10, 250],
          [14, 60],
          [27, 255],
        ]),
        THIRTY_S,
      ),
    ).toEqual([0, 10_000])
  })

  it('keeps those that differ the most where there are more than a person would name', () => {
    const samples = shades(30_000, [
      [0, 0],
      [8, 60],
      [15, 250],
      [22, 190],
    ])
    // Greys differ as much in each cell, so the first of equals stays.
    expect(findScenes(samples, { durationMs: 30_000, most: 2 })).toEqual([0, 8_000])
  })

  it('finds nothing in an empty video and in one that shows the same all the time', () => {
    expect(findScenes([], { durationMs: 0, most: 60 })).toEqual([])
    expect(findScenes(shades(30_000, [[0, 80]]), THIRTY_S)).toEqual([])
  })
})

describe('planSamples', () => {
  it('looks twice a second, and at no more than 600 moments of a long video', () => {
    expect(planSamples(2_000)).toEqual([0, 500, 1_000, 1_500])
    expect(planSamples(3_600_000)).toHaveLength(600)
    expect(planSamples(3_600_000).at(-1)).toBe(3_594_000)
  })
})

describe('toCells', () => {
  it('is the mean colour of each cell, row by row', () => {
    const [width, height] = [64, 36]
    const data = new Uint8Array(width * height * 4)
    // The left half of the image is red, and the first pixel white.
    for (let at = 0; at < width * height; at++) data.set(at % width < 32 ? [200, 0, 0, 255] : [0, 0, 0, 255], at * 4)
    data.set([255, 255, 255, 255], 0)
    const cells = toCells({ data, width, height })
    expect(cells).toHaveLength(32 * 18 * 3)
    expect([...cells.subarray(0, 6)]).toEqual([213, 63, 63, 200, 0, 0])
    expect([...cells.subarray(15 * 3, 17 * 3)]).toEqual([200, 0, 0, 0, 0, 0])
  })
})
