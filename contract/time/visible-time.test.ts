import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { skipCuts } from './skip-cuts.ts'
import { lengthOf, subtract, toWholeSeconds, unite } from './time-ranges.ts'
import {
  CUT_MIN_S,
  clampSpan,
  findVisible,
  isLineCut,
  listVisibleLines,
  listVisibleSteps,
  percentOfShown,
  percentOfWhole,
  tidyCuts,
} from './visible-time.ts'

const DURATION_S = 120
const second = fc.integer({ min: 0, max: DURATION_S * 1000 }).map((ms) => ms / 1000)
const span = fc.tuple(second, second).map(([a, b]) => ({ start: Math.min(a, b), end: Math.max(a, b) }))
const cutsOf = fc.array(fc.tuple(second, second), { maxLength: 20 }).map((ranges) => tidyCuts(ranges, DURATION_S))

describe('cuts', () => {
  it('cuts are stored sorted and joined, within the video, none too short to be one', () => {
    const ranges = [
      [50, 60],
      [10, 20.0004],
      [20, 30],
      [70, 70.1],
      [100, 500],
    ] as const
    expect(tidyCuts(ranges, DURATION_S)).toEqual([
      [10, 30],
      [50, 60],
      [100, 120],
    ])
  })

  it('all readers of time agree on what is shown, and lengths add up', () => {
    fc.assert(
      fc.property(cutsOf, span, second, (cuts, each, atS) => {
        const visible = findVisible(each, cuts)
        const hidden = subtract([[each.start, each.end]], visible)
        expect(lengthOf(visible) + lengthOf(hidden)).toBeCloseTo(each.end - each.start)
        expect(unite(visible, hidden)).toEqual(each.start < each.end ? [[each.start, each.end]] : [])
        const isShown = (s: number) => !cuts.some(([from, to]) => from <= s && s < to)
        const next = skipCuts(atS, cuts)
        expect(isShown(next)).toBe(true)
        expect(next === atS).toBe(isShown(atS))
        expect(lengthOf(findVisible({ start: atS, end: next }, cuts))).toBe(0)
        const clamped = clampSpan(each, cuts)
        if (clamped === null) {
          expect(lengthOf(visible)).toBeLessThan(CUT_MIN_S)
          return
        }
        expect(isShown(clamped.start)).toBe(true)
        expect(clamped.start).toBeGreaterThanOrEqual(each.start)
        expect(clamped.end).toBeLessThanOrEqual(each.end)
        expect(lengthOf(findVisible(clamped, cuts))).toBeCloseTo(lengthOf(visible))
      }),
    )
  })

  it('no line is shown of which a word may be left out, and none that is whole leaves', () => {
    fc.assert(
      fc.property(cutsOf, fc.array(span, { maxLength: 10 }), (cuts, lines) => {
        const shown = new Set(listVisibleLines(lines, cuts))
        for (const line of lines) {
          const cutS = line.end - line.start - lengthOf(findVisible(line, cuts))
          if (cutS > 0.25) expect(shown.has(line)).toBe(false)
          if (line.end > line.start && cutS === 0) expect(shown.has(line)).toBe(true)
        }
      }),
    )
  })

  it('a step that is left out leaves, another begins and ends with what is shown of it', () => {
    const steps = [
      { id: 'a', start: 0, end: 10 },
      { id: 'b', start: 10, end: 20 },
      { id: 'c', start: 20, end: 30 },
      { id: 'd', start: 25, end: 25 },
    ]
    const cuts = [
      [0, 2],
      [9, 22],
      [24, 26],
    ] as const
    expect(listVisibleSteps(steps, cuts)).toEqual([
      { id: 'a', start: 2, end: 9 },
      { id: 'c', start: 22, end: 30 },
    ])
  })

  it('a line may overlap a cut by as little as times are wrong', () => {
    expect(isLineCut({ start: 0, end: 5 }, [[4.8, 10]])).toBe(false)
    expect(isLineCut({ start: 0, end: 5 }, [[4.7, 10]])).toBe(true)
    expect(isLineCut({ start: 0, end: 0.3 }, [[0.1, 10]])).toBe(true)
    expect(isLineCut({ start: 0, end: 0.1 }, [])).toBe(false)
    expect(isLineCut({ start: 5, end: 5 }, [[4, 6]])).toBe(true)
    expect(isLineCut({ start: 5, end: 5 }, [[4, 5]])).toBe(false)
  })

  it('who has seen all that is shown has seen all, whatever was seen of the rest', () => {
    fc.assert(
      fc.property(cutsOf, (cuts) => {
        const video = { durationS: DURATION_S, cuts }
        const shown = subtract([[0, DURATION_S]], toWholeSeconds(cuts, DURATION_S))
        if (lengthOf(shown) === 0) return
        expect(percentOfShown(shown, video)).toBe(100)
        expect(percentOfShown([[0, DURATION_S]], video)).toBe(100)
        expect(percentOfShown(toWholeSeconds(cuts, DURATION_S), video)).toBe(0)
        expect(percentOfWhole(100, video)).toBe(Math.floor((lengthOf(shown) * 100) / DURATION_S))
      }),
    )
  })
})
