import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { chooseCuts } from './choose-cuts.ts'

/** A sentence every ten seconds. */
function planOf(scores: number[], stepCount: number) {
  return { startsMs: scores.map((_, index) => index * 10_000), endMs: scores.length * 10_000, scores, stepCount }
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
          const cuts = chooseCuts({ startsMs, endMs, scores: said.map((sentence) => sentence.score), stepCount })
          const bounds = [0, ...cuts].map((cut) => startsMs[cut] ?? 0)
          const minMs = Math.max(5_000, Math.min(8_000, endMs / stepCount / 2))
          bounds.slice(1).forEach((bound, index) => expect(bound - (bounds[index] ?? 0)).toBeGreaterThanOrEqual(minMs))
        },
      ),
    )
  })
})
