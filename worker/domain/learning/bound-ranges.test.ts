import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { VIDEO_MAX_S } from '#contract/limits.ts'
import { intersect, lengthOf, toWholeSeconds, unite } from '#contract/time/time-ranges.ts'
import { applyReport, NEW_LEARNER, readPlayed } from './apply-report.ts'
import { boundRanges, boundSegments, writePlayed } from './bound-ranges.ts'
import { type Learner } from './learner.ts'
import { PLAYED_MAX_CHARS, RANGES_MAX_CHARS } from './learning-limits.ts'
import { learnerValues } from './learning-store.ts'

const place = fc.double({ min: 0, max: VIDEO_MAX_S, noNaN: true })
const segments = fc
  .array(fc.tuple(place, fc.double({ min: 0, max: 40, noNaN: true })), { maxLength: 200, size: 'max' })
  .map((all) => all.map(([from, length]) => [from, from + length] as [number, number]))

const TIMES = { completedAtMs: null, firstAtMs: 0, lastAtMs: 0 }

describe('boundRanges', () => {
  it('keeps the longest ranges that fit, and never a second that was not there', { tags: 'attack-15' }, () => {
    fc.assert(
      fc.property(segments, (played) => {
        const ranges = toWholeSeconds(played, VIDEO_MAX_S)
        const kept = boundRanges(ranges, RANGES_MAX_CHARS)
        expect(JSON.stringify(kept).length).toBeLessThanOrEqual(RANGES_MAX_CHARS)
        expect(intersect(kept, ranges)).toEqual(kept)
        const lengths = (all: typeof ranges) => all.map(([from, to]) => to - from)
        const shortest = Math.min(...lengths(kept))
        const dropped = ranges.filter((range) => !kept.includes(range))
        for (const length of lengths(dropped)) expect(length).toBeLessThanOrEqual(shortest)
        if (JSON.stringify(ranges).length <= RANGES_MAX_CHARS) expect(kept).toEqual(ranges)
      }),
    )
  })

  it('holds what is stored of a learner under a kilobyte, and never lets progress go back', {
    tags: 'attack-15',
  }, () => {
    const credits = fc.constantFrom(
      { kind: 'selfReported' } as const,
      { kind: 'verified', creditedUntilMs: 1 } as const,
    )
    fc.assert(
      fc.property(fc.array(fc.tuple(segments, credits), { maxLength: 8 }), (reports) => {
        let learner: Learner = NEW_LEARNER
        for (const [played, credit] of reports) {
          const before = learner
          learner = applyReport(before, { segments: played, position: 0 }, { durationS: VIDEO_MAX_S, credit })
          expect(learnerValues(learner, TIMES).join('').length).toBeLessThanOrEqual(1_024)
          expect(lengthOf(learner.seen.once)).toBeGreaterThanOrEqual(lengthOf(before.seen.once))
          expect(lengthOf(learner.verified)).toBeLessThanOrEqual(lengthOf(learner.seen.once))
        }
      }),
    )
  })
})

describe('applyReport', () => {
  it('counts each second that was played, and what was played twice, in one report or in two', () => {
    const short = fc.array(
      fc
        .tuple(fc.integer({ min: 0, max: 30 }), fc.integer({ min: 0, max: 9 }))
        .map(([from, length]) => [from, from + length] as [number, number]),
      { maxLength: 8 },
    )
    fc.assert(
      fc.property(short, short, (first, second) => {
        const credit = { kind: 'selfReported' } as const
        const report = (before: Learner, played: typeof first) =>
          applyReport(before, { segments: played, position: 0 }, { durationS: 1_000, credit })
        const times = new Map<number, number>()
        for (const [from, to] of [...first, ...second]) {
          for (let at = from; at < to; at++) times.set(at, (times.get(at) ?? 0) + 1)
        }
        const { once, again } = report(report(NEW_LEARNER, first), second).seen
        const secondsOf = (ranges: typeof once) =>
          ranges.flatMap(([from, to]) => Array.from({ length: to - from }, (_, at) => from + at))
        const seenAtLeast = (least: number) =>
          [...times]
            .filter(([, count]) => count >= least)
            .map(([at]) => at)
            .toSorted((a, b) => a - b)
        expect(secondsOf(once)).toEqual(seenAtLeast(1))
        expect(secondsOf(again)).toEqual(seenAtLeast(2))
      }),
    )
  })
})

describe('boundSegments', () => {
  it('joins adjacent segments, keeps the order while it fits, and stays within the played ranges', () => {
    fc.assert(
      fc.property(segments, (played) => {
        const kept = boundSegments(played, PLAYED_MAX_CHARS)
        expect(writePlayed(kept).length).toBeLessThanOrEqual(PLAYED_MAX_CHARS)
        for (const [from, to] of kept) {
          // A gap of less than a millisecond is none: reports are written in milliseconds.
          const near = played.map(([start, end]) => [start, end + (end > start ? 0.001 : 0)] as const)
          const within = unite(near, []).some((range) => range[0] <= from && range[1] >= to)
          expect(within).toBe(true)
        }
      }),
    )
    const inOrder: [number, number][] = [
      [10, 12],
      [12, 20],
      [0, 5],
      [2, 4],
    ]
    expect(boundSegments(inOrder, PLAYED_MAX_CHARS)).toEqual([
      [10, 20],
      [0, 5],
      [2, 4],
    ])
    expect(readPlayed(writePlayed(inOrder))).toEqual(inOrder)
  })
})
