import { describe, expect, it } from 'vitest'
import { median, quantile, spreadOf } from './statistics.ts'

describe('median', () => {
  it('is the middle figure whatever the order, and the mean of the middle two', () => {
    expect(median([9, 1, 5])).toBe(5)
    expect(median([4, 1, 3, 100])).toBe(3.5)
    expect(median([])).toBeNaN()
  })
})

describe('quantile', () => {
  it('is the smallest figure that so many do not exceed', () => {
    const hundred = Array.from({ length: 100 }, (_, at) => 100 - at)
    expect([0, 0.01, 0.95, 0.951, 1].map((share) => quantile(hundred, share))).toEqual([1, 1, 95, 96, 100])
    expect(quantile([], 0.5)).toBeNaN()
  })
})

describe('spreadOf', () => {
  it('tells the least and the most beside it', () => {
    expect(spreadOf([3, 1, 2])).toEqual({ least: 1, median: 2, most: 3 })
  })
})
