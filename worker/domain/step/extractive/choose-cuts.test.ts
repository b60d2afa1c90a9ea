import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { chooseCuts } from './extractive-step-writer.ts'

const WHOLE = { isComparable: false, isOpen: false }

/** A sentence every ten seconds. */
function planOf(scores: number[], stepCount: number) {
  const endMs = scores.length * 10_000
  const startsMs = scores.map((_, index) => index * 10_000)
  return { ...WHOLE, startsMs, endMs, scores, usualMs: endMs / stepCount }
}

describe('chooseCuts', () => {
  it('cuts where the scores stand out', () => {
    const scores = [0, -5, -5, 2, -5, -5, -5, 3, -5, -5]
    expect(chooseCuts(planOf(scores, 3))).toEqual([3, 7])
  })

  it('makes no cut for one step', () => {
    expect(chooseCuts(planOf([0, 5, 5, 5], 1))).toEqual([])
  })

  it('prefers even lengths where scores are equal', () => {
    expect(
      chooseCuts(
        planOf(
          Array.from({ length: 20 }, () => -3),
          2,
        ),
      ),
    ).toEqual([10])
  })

  it('lets a step be unfinished at the end of the transcript so far', () => {
    const scores = [0, -5, -5, -5, -5, -5, -5, -5, 0, -5]
    const plan = { ...planOf(scores, 1), usualMs: 80_000 }
    expect(chooseCuts(plan)).toEqual([])
    expect(chooseCuts({ ...plan, isOpen: true })).toEqual([8])
  })

  it('cuts a short transcript at the usual price, where scores compare', () => {
    const plan = { ...planOf([0, -4, -4, -0.5, -4, -4], 1), isComparable: true, isOpen: true }
    expect(chooseCuts(plan)).toEqual([3])
    expect(chooseCuts({ ...plan, scores: [0, -4, -4, -3, -4, -4] })).toEqual([])
  })

  it('keeps cuts in order and never nearer than half a usual step, within five and eight seconds', () => {
    const score = fc.double({ min: -8, max: 4, noNaN: true })
    const sentence = fc.record({ lengthMs: fc.integer({ min: 0, max: 20_000 }), score })
    fc.assert(
      fc.property(
        fc.array(sentence, { minLength: 1, maxLength: 80 }),
        fc.integer({ min: 1, max: 30 }),
        (said, stepCount) => {
          let endMs = 0
          const startsMs = said.map(({ lengthMs }) => (endMs += lengthMs) - lengthMs)
          const usualMs = Math.max(1, endMs) / stepCount
          const cuts = chooseCuts({
            ...WHOLE,
            startsMs,
            endMs,
            scores: said.map((sentence) => sentence.score),
            usualMs,
          })
          const bounds = [0, ...cuts].map((cut) => startsMs[cut] ?? 0)
          const minMs = Math.max(5_000, Math.min(8_000, endMs / stepCount / 2))
          bounds.slice(1).forEach((bound, index) => expect(bound - (bounds[index] ?? 0)).toBeGreaterThanOrEqual(minMs))
        },
      ),
    )
  })
})
