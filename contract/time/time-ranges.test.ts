import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { intersect, lengthOf, subtract, type TimeRanges, toWholeSeconds, unite } from './time-ranges.ts'

const DURATION_S = 60
const second = fc.double({ min: 0, max: DURATION_S + 5, noNaN: true })
const segments = fc.array(fc.tuple(second, second), { maxLength: 12 })

function secondsOf(ranges: TimeRanges): number[] {
  return ranges.flatMap(([from, to]) => Array.from({ length: to - from }, (_, index) => from + index))
}

function isTidy(ranges: TimeRanges): boolean {
  return ranges.every(([from, to], at) => from < to && from > (ranges[at - 1]?.[1] ?? -1))
}

describe('time ranges', () => {
  it('time ranges count a second whose middle was played, once, and nothing beyond the video', () => {
    expect(toWholeSeconds([[0, 12.4]], 20)).toEqual([[0, 12]])
    expect(toWholeSeconds([[12.4, 30]], 20)).toEqual([[12, 20]])
    expect(toWholeSeconds([[9, 3]], 20)).toEqual([])
    expect(toWholeSeconds([[0, 0.3]], 0.3)).toEqual([])
    expect(toWholeSeconds([[0, 0.6]], 0.6)).toEqual([[0, 1]])
  })

  it('time ranges are what sets of seconds would be', () => {
    fc.assert(
      fc.property(segments, segments, (some, others) => {
        const [a, b] = [toWholeSeconds(some, DURATION_S), toWholeSeconds(others, DURATION_S)]
        const [inA, inB] = [new Set(secondsOf(a)), new Set(secondsOf(b))]
        expect(new Set(secondsOf(unite(a, b)))).toEqual(new Set([...inA, ...inB]))
        expect(new Set(secondsOf(intersect(a, b)))).toEqual(new Set([...inA].filter((each) => inB.has(each))))
        expect(new Set(secondsOf(subtract(a, b)))).toEqual(new Set([...inA].filter((each) => !inB.has(each))))
        expect(lengthOf(a)).toBe(inA.size)
        expect([a, b, unite(a, b), intersect(a, b), subtract(a, b)].every(isTidy)).toBe(true)
      }),
    )
  })
})
