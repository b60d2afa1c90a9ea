import { describe, expect, it } from 'vitest'
import { meanConfidence } from './mean-confidence.ts'

describe('meanConfidence', () => {
  it.each([
    ['of all that is known', [0.4, 0.8], 0.6],
    ['of what is known', [0.4, null, 0.8], 0.6],
    ['of nothing that is known', [null, null], null],
    ['of no words', [], null],
  ])('is the mean %s', (_what, confidences, mean) => {
    const found = meanConfidence(confidences.map((confidence) => ({ confidence })))
    if (mean === null) expect(found).toBeNull()
    else expect(found).toBeCloseTo(mean)
  })
})
