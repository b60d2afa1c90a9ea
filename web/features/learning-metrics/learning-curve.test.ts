import { describe, expect, test } from 'vitest'
import { drawCurvePath } from './learning-curve.tsx'

describe('drawCurvePath', () => {
  test('goes up and down with the learners of each piece, from the left to the right edge', () => {
    expect(drawCurvePath([4, 2, 0, 1], 4)).toBe('M0 100V0H250V50H500V100H750V75H1000V100Z')
  })

  test('is a line at zero where there are no views', () => {
    expect(drawCurvePath([0, 0], 0)).toBe('M0 100V100H500V100H1000V100Z')
    expect(drawCurvePath([], 0)).toBe('M0 100V100Z')
  })
})
