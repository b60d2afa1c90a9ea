import { describe, expect, it } from 'vitest'
import { median, spreadOf } from './statistics.ts'

describe('median', () => {
  it('is the middle figure whatever the order, and the mean of the middle two', () => {
    expect(median([9, 1, 5])).toBe(5)
    expect(median([4, 1, 3, 100])).toBe(3.5)
    expect(median([])).toBeNaN()
  })
})

describe('spreadOf', () => {
  it('tells the least and the most beside it', () => {
    expect(spreadOf([3, 1, 2])).toEqual({ least: 1, median: 2, most: 3 })
  })
})
