import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { judgeStep } from '#contract/step-progress.ts'
import { lengthOf } from '#contract/time/time-ranges.ts'
import { applyReport, mergeLearners, NEW_LEARNER, percentOf } from './apply-report.ts'
import { type Learner } from './learner.ts'
import { addSums, countBelow, countFrom, NO_SUMS, pieceSeconds, sumLearner } from './learning-sums.ts'

const VIDEO = {
  durationS: 250,
  steps: [
    { id: 'a', start: 0, end: 60 },
    { id: 'b', start: 60, end: 130.4 },
    { id: 'c', start: 130.4, end: 250 },
  ],
}

const place = fc.double({ min: 0, max: 260, noNaN: true })
const report = fc.record({ segments: fc.array(fc.tuple(place, place), { maxLength: 4 }), position: place })
const credit = fc.constantFrom({ kind: 'selfReported' } as const, { kind: 'verified', creditedUntilMs: 1 } as const)
/** What happens to three learners, in any order: reports, one who becomes another, one who is removed. */
const events = fc.array(
  fc.oneof(
    { weight: 8, arbitrary: fc.record({ kind: fc.constant('report' as const), who: fc.nat(2), report, credit }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('claim' as const), who: fc.nat(2), to: fc.nat(2) }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('remove' as const), who: fc.nat(2) }) },
  ),
  { maxLength: 30 },
)

const NO_STEP = { reached: 0, finished: 0, rewatched: 0, left: {} }
const sumOf = (learner: Learner | undefined) => (learner === undefined ? NO_SUMS : sumLearner(learner, VIDEO))

describe('the sums of a module', () => {
  it('equal a fresh count of all learners after any sequence of events', { tags: 'attack-16' }, () => {
    fc.assert(
      fc.property(events, fc.integer({ min: 1, max: 100 }), (all, threshold) => {
        const learners = new Map<number, Learner>()
        let sums = NO_SUMS
        const set = (who: number, after: Learner | undefined) => {
          sums = addSums(addSums(sums, sumOf(after)), sumOf(learners.get(who)), -1)
          if (after === undefined) learners.delete(who)
          else learners.set(who, after)
        }
        for (const event of all) {
          const before = learners.get(event.who)
          if (event.kind === 'report')
            set(event.who, applyReport(before ?? NEW_LEARNER, event.report, { ...VIDEO, credit: event.credit }))
          if (event.kind === 'remove') set(event.who, undefined)
          if (event.kind !== 'claim' || before === undefined || event.to === event.who) continue
          const target = learners.get(event.to)
          set(event.to, target === undefined ? before : mergeLearners(before, target, VIDEO.durationS))
          set(event.who, undefined)
        }
        const everybody = [...learners.values()]
        expect(sums.learners).toBe(everybody.length)
        expect(sums.seenSeconds).toBe(everybody.reduce((sum, { seen }) => sum + lengthOf(seen.once), 0))
        const isThrough = ({ seen }: Learner) => percentOf(seen.once, VIDEO.durationS) >= threshold
        expect(countFrom(sums.percents, threshold)).toBe(everybody.filter(isThrough).length)
        const verified = everybody.filter((each) => percentOf(each.verified, VIDEO.durationS) >= threshold)
        expect(countFrom(sums.verified, threshold)).toBe(verified.length)
        for (const step of VIDEO.steps) {
          const judged = everybody.map(({ seen }) => judgeStep(step, seen))
          const here = everybody.filter(
            (each) => !isThrough(each) && each.positionS >= Math.floor(step.start) && each.positionS < step.end,
          )
          const { reached, finished, rewatched, left } = sums.steps[step.id] ?? NO_STEP
          expect(reached).toBe(judged.filter(({ isReached }) => isReached).length)
          expect(finished).toBe(judged.filter(({ isFinished }) => isFinished).length)
          expect(rewatched).toBe(judged.filter(({ isRewatched }) => isRewatched).length)
          expect(countBelow(left, threshold)).toBe(here.length)
        }
        const lengthS = pieceSeconds(VIDEO.durationS)
        for (let piece = 0; piece * lengthS < 250; piece++) {
          const [start, end] = [piece * lengthS, (piece + 1) * lengthS]
          const saw = everybody.filter(({ seen }) => seen.once.some(([from, to]) => from < end && to > start))
          expect(sums.curve[piece] ?? 0).toBe(saw.length)
        }
      }),
    )
  })

  it('counts unique seconds, not a replayed part or a jump to the end', () => {
    const verified = { kind: 'verified', creditedUntilMs: 1 } as const
    const segments: [number, number][] = [
      [0, 120],
      [0, 120],
      [248, 250],
    ]
    const once = applyReport(NEW_LEARNER, { segments, position: 250 }, { ...VIDEO, credit: verified })
    expect([percentOf(once.seen.once, 250), once.positionS]).toEqual([48, 0])
    expect(sumLearner(once, VIDEO).steps['a']).toMatchObject({ reached: 1, finished: 1, rewatched: 1 })
    const rest = applyReport(once, { segments: [[120, 223]], position: 223 }, { ...VIDEO, credit: verified })
    expect(percentOf(rest.seen.once, 250)).toBe(90)
  })

  it('cuts a curve into a hundred pieces at most, of a second at least', () => {
    expect(pieceSeconds(40)).toBe(1)
    expect(pieceSeconds(100)).toBe(1)
    expect(pieceSeconds(101)).toBe(2)
    expect(pieceSeconds(3 * 3600)).toBe(108)
  })
})
