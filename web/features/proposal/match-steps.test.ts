import { describe, expect, test } from 'vitest'
import { findCounterparts } from './proposal-card.tsx'

const step = (start: number, end: number) => ({ start, end })

describe('findCounterparts', () => {
  test.each([
    ['the same span', step(10, 20), true],
    ['a part of it', step(12, 14), true],
    ['one that holds it', step(0, 60), true],
    ['half of it', step(15, 25), true],
    ['a little less than half of it', step(15.1, 25), false],
    ['its neighbour', step(20, 30), false],
    ['one without a length', step(15, 15), false],
  ])('with %s', (_what, other, isCounterpart) => {
    expect(findCounterparts(step(10, 20), [other])).toHaveLength(isCounterpart ? 1 : 0)
  })
})
