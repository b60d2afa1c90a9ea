import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { judgeStep } from '#contract/step-progress.ts'
import { lengthOf } from '#contract/time-ranges.ts'
import { applyReport, type LearnedVideo, type Learner, pieceSeconds, secondsToComplete } from './apply-report.ts'

const VIDEO: LearnedVideo = {
  durationS: 250,
  completionPercent: 90,
  steps: [
    { id: 'a', start: 0, end: 60 },
    { id: 'b', start: 60, end: 130.4 },
    { id: 'c', start: 130.4, end: 250 },
  ],
}

const place = fc.double({ min: 0, max: 260, noNaN: true })
const report = fc.record({ segments: fc.array(fc.tuple(place, place), { maxLength: 4 }), position: place })
/** Reports of three learners, in any order. */
const reports = fc.array(fc.tuple(fc.nat(2), report), { maxLength: 30 })

function count(of: Map<string, number>, key: string, by: number) {
  of.set(key, (of.get(key) ?? 0) + by)
}

describe('applyReport', () => {
  it('keeps sums that are those of all learners counted anew', () => {
    fc.assert(
      fc.property(reports, (all) => {
        const learners = new Map<number, Learner>()
        const sums = new Map<string, number>()
        for (const [who, each] of all) {
          const { after, change } = applyReport(learners.get(who) ?? null, each, VIDEO)
          learners.set(who, after)
          count(sums, 'learners', change.learners)
          count(sums, 'completed', change.completed)
          count(sums, 'seenSeconds', change.seenSeconds)
          for (const { kind, atS, learners: by } of change.counts) count(sums, `${kind}/${atS}`, by)
          for (const { id, ...by } of change.steps) {
            for (const [what, more] of Object.entries(by)) count(sums, `${id}/${what}`, more)
          }
        }
        const everybody = [...learners.values()]
        const of = (key: string) => sums.get(key) ?? 0
        expect(of('learners')).toBe(everybody.length)
        expect(of('completed')).toBe(everybody.filter(({ isCompleted }) => isCompleted).length)
        expect(of('seenSeconds')).toBe(everybody.reduce((sum, { seen }) => sum + lengthOf(seen.once), 0))
        for (const step of VIDEO.steps) {
          const judged = everybody.map(({ seen }) => judgeStep(step, seen))
          expect(of(`${step.id}/reached`)).toBe(judged.filter(({ isReached }) => isReached).length)
          expect(of(`${step.id}/finished`)).toBe(judged.filter(({ isFinished }) => isFinished).length)
          expect(of(`${step.id}/rewatched`)).toBe(judged.filter(({ isRewatched }) => isRewatched).length)
        }
        for (let second = 0; second < 260; second++) {
          const here = everybody.filter(({ isCompleted, positionS }) => !isCompleted && positionS === second)
          expect(of(`left/${second}`)).toBe(here.length)
        }
        const lengthS = pieceSeconds(VIDEO.durationS)
        for (let atS = 0; atS < 250; atS += lengthS) {
          const saw = everybody.filter(({ seen }) => seen.once.some(([from, to]) => from < atS + lengthS && to > atS))
          expect(of(`seen/${atS}`)).toBe(saw.length)
        }
      }),
    )
  })

  it('is completed by unique seconds, not by playing one part again or by jumping to the end', () => {
    const needed = secondsToComplete(VIDEO)
    expect(needed).toBe(225)
    const once = applyReport(
      null,
      {
        segments: [
          [0, 120],
          [0, 120],
          [248, 250],
        ],
        position: 250,
      },
      VIDEO,
    )
    expect(once.after).toMatchObject({ isCompleted: false, positionS: 0 })
    expect(once.change.steps).toContainEqual({ id: 'a', reached: 1, finished: 1, rewatched: 1 })
    const rest = applyReport(once.after, { segments: [[120, 224]], position: 224 }, VIDEO)
    expect(rest.after.isCompleted).toBe(true)
    expect(rest.change).toMatchObject({ learners: 0, completed: 1 })
  })

  it('cuts a curve into a hundred pieces at most, of a second at least', () => {
    expect(pieceSeconds(40)).toBe(1)
    expect(pieceSeconds(100)).toBe(1)
    expect(pieceSeconds(101)).toBe(2)
    expect(pieceSeconds(3 * 3600)).toBe(108)
  })
})
