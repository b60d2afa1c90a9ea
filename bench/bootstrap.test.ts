import { describe, expect, it } from 'vitest'
import { bootstrapMean } from './bootstrap.ts'

const repeat = (count: number, values: readonly number[]) => Array.from({ length: count }, () => values).flat()

describe('bootstrapMean', () => {
  it('weighs groups the same, whatever their number of recordings', () => {
    expect(bootstrapMean([repeat(30, [1]), [0]])).toEqual({ mean: 0.5, low: 0.5, high: 0.5 })
  })

  it('is as wide as the standard error says', () => {
    const { mean, low, high } = bootstrapMean([repeat(50, [0, 1])])
    expect(mean).toBe(0.5)
    // 1.96 × √(.25 / 100)
    expect(low).toBeGreaterThan(0.37)
    expect(low).toBeLessThan(0.43)
    expect(high).toBeGreaterThan(0.57)
    expect(high).toBeLessThan(0.63)
  })

  it('gives the same interval in each run', () => {
    expect(bootstrapMean([[0.1, 0.4, 0.2]])).toEqual(bootstrapMean([[0.1, 0.4, 0.2]]))
  })
})
