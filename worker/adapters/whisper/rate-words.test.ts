import { describe, expect, it } from 'vitest'
import { rateSegment, rateWord } from './rate-words.ts'

describe('rateSegment', () => {
  it('gives the share of words that were right, and in between a share in between', () => {
    expect(rateSegment(Math.log(0.4))).toBeCloseTo(0.22)
    expect(rateSegment(Math.log(0.45))).toBeCloseTo(0.33)
    expect(rateSegment(Math.log(0.8))).toBeCloseTo(0.92)
  })

  it('grows with the probability and stays between 0 and 1, whatever a server says', () => {
    const shares = [Number.NEGATIVE_INFINITY, -1e9, -5, -1, -0.5, -0.1, -0.01, 0, 3].map(rateSegment)
    expect(shares).toEqual(shares.toSorted((a, b) => a - b))
    expect(shares[0]).toBe(0.2)
    expect(shares.at(-1)).toBe(1)
  })
})

describe('rateWord', () => {
  it('takes the geometric mean of both figures, or the one that is known', () => {
    expect(rateWord(0.9, 0.4)).toBeCloseTo(0.6)
    expect(rateWord(0.9, null)).toBe(0.9)
    expect(rateWord(null, 0.4)).toBe(0.4)
    expect(rateWord(null, null)).toBeNull()
  })
})
