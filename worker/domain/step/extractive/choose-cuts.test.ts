import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type CutPlan, chooseCuts, cutAtPrice } from './choose-cuts.ts'

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

/** The same search over all pairs of a start and an end. */
function cutByAllPairs({ startsMs, endMs, scores, usualMs, isOpen }: CutPlan, price: number): number[] {
  const minMs = Math.max(5_000, Math.min(8_000, usualMs / 2))
  const best = [0]
  const cameFrom = [-1]
  for (let to = 1; to <= startsMs.length; to += 1) {
    let [top, from] = [Number.NEGATIVE_INFINITY, 0]
    for (let start = 0; start < to; start += 1) {
      const lengthMs = (startsMs[to] ?? endMs) - (startsMs[start] ?? 0)
      if (lengthMs < minMs) break
      const judgedMs = isOpen && to === startsMs.length ? Math.max(lengthMs, usualMs) : lengthMs
      const value = (best[start] ?? 0) - (0.25 * Math.log(judgedMs / usualMs) ** 2) / (2 * 0.65 ** 2)
      if (value > top) [top, from] = [value, start]
    }
    best.push(top + (scores[to] ?? 0) - price)
    cameFrom.push(from)
  }
  const cuts: number[] = []
  for (let at = cameFrom.at(-1) ?? 0; at > 0; at = cameFrom[at] ?? 0) cuts.unshift(at)
  return cuts
}

describe('cutAtPrice', () => {
  it('finds what a search over all pairs finds', () => {
    const score = fc.double({ min: -8, max: 4, noNaN: true })
    const sentence = fc.record({ lengthMs: fc.integer({ min: 0, max: 20_000 }), score })
    const plan = fc.record({
      said: fc.array(sentence, { minLength: 1, maxLength: 120 }),
      usualMs: fc.integer({ min: 5_000, max: 400_000 }),
      price: fc.double({ min: -6, max: 6, noNaN: true }),
      isOpen: fc.boolean(),
    })
    fc.assert(
      fc.property(plan, ({ said, usualMs, price, isOpen }) => {
        let endMs = 0
        const startsMs = said.map(({ lengthMs }) => (endMs += lengthMs) - lengthMs)
        const scores = said.map((each) => each.score)
        const whole = { startsMs, endMs, scores, usualMs, isOpen, isComparable: true }
        expect(cutAtPrice(whole, price)).toEqual(cutByAllPairs(whole, price))
      }),
    )
  })

  it.each([
    ['one after the other', (at: number) => at * 300],
    ['in groups that begin at one moment', (at: number) => Math.floor(at / 300) * 10_000],
    ['all at one moment', () => 0],
  ])('looks at 40 pairs for each sentence at most, with sentences %s', { tags: 'attack-60' }, (_, startOf) => {
    const startsMs = Array.from({ length: 4_000 }, (__, at) => startOf(at))
    const endMs = (startsMs.at(-1) ?? 0) + 10_000
    for (const slope of [0, -1e-3, 1e-3]) {
      const scores = startsMs.map((startMs) => slope * (startMs / 1_000))
      for (const price of [-16, -1, 0, 0.01, 1, 16]) {
        let pairs = 0
        const plan = { startsMs, endMs, scores, usualMs: 60_000, isOpen: false, isComparable: true }
        cutAtPrice(plan, price, (steps) => {
          pairs += steps
        })
        expect(pairs).toBeLessThanOrEqual(40 * startsMs.length)
      }
    }
  })
})
