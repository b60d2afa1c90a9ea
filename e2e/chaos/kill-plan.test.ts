import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { formatMoment, planKills } from './kill-plan.ts'
import { randomOf } from './random.ts'

const UNDISTURBED = { uploadMs: 800, audioChunks: 29 }

describe('planKills', () => {
  it('plans one to three kills, the first of which comes before the work is done', () => {
    fc.assert(
      fc.property(fc.string(), (seed) => {
        const [first, ...others] = planKills(randomOf(seed), UNDISTURBED)
        expect(others.length).toBeLessThanOrEqual(2)
        if (first?.after === 'start') expect(first.delayMs).toBeLessThanOrEqual(UNDISTURBED.uploadMs)
        else if (first?.after === 'answers') expect(first.count).toBeLessThanOrEqual(UNDISTURBED.audioChunks)
        else expect(first?.after).toBe('last answer')
      }),
    )
  })

  it('plans the same for the same seed and mostly something else for another', () => {
    const plan = (seed: number) => JSON.stringify(planKills(randomOf(`${seed}`), UNDISTURBED))
    expect(plan(1)).toBe(plan(1))
    expect(new Set(Array.from({ length: 100 }, (_, seed) => plan(seed))).size).toBeGreaterThan(90)
  })

  it('hits the upload, the transcription and the end of it', () => {
    const kinds = Array.from({ length: 25 }, (_, seed) => planKills(randomOf(`${seed}`), UNDISTURBED)).flat()
    expect(new Set(kinds.map(({ after }) => after))).toEqual(new Set(['start', 'answers', 'last answer']))
  })
})

describe('formatMoment', () => {
  it('names the moment that is waited for', () => {
    expect(formatMoment({ after: 'answers', count: 4, delayMs: 12 })).toBe('after 4 answers + 12 ms')
    expect(formatMoment({ after: 'start', delayMs: 0 })).toBe('after start + 0 ms')
  })
})
