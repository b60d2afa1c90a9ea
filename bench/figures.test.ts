import { describe, expect, it } from 'vitest'
import { formatRatio, judgeRatio, median, quantile, ratioOfRounds, spreadOf } from './scenario.ts'

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
  it('has the least and the most beside it', () => {
    expect(spreadOf([3, 1, 2])).toEqual({ least: 1, median: 2, most: 3 })
  })
})

const rounds = (...ratios: number[]) => ratioOfRounds(ratios.map((own) => ({ own: own * 8, other: 8 })))

describe('judgeRatio', () => {
  it('is met when the middle round is within the limit', () => {
    expect(judgeRatio(rounds(1, 1.25, 3), { atMost: 1.25 })).toBe('met')
    expect(judgeRatio(rounds(9, 10, 12), { atLeast: 10 })).toBe('met')
  })

  it('is missed when every round is beyond the limit, and unclear when only most are', () => {
    expect(judgeRatio(rounds(1.3, 1.4, 1.5), { atMost: 1.25 })).toBe('missed')
    expect(judgeRatio(rounds(1.2, 1.4, 1.5), { atMost: 1.25 })).toBe('unclear')
    expect(judgeRatio(rounds(7, 8, 9), { atLeast: 10 })).toBe('missed')
    expect(judgeRatio(rounds(7, 8, 11), { atLeast: 10 })).toBe('unclear')
  })

  it('shows the noise beside the ratio', () => {
    expect(formatRatio(rounds(1.5, 1, 1.25))).toBe('1.25 × (1.00–1.50)')
  })
})
