import { expect, it } from 'vitest'
import { skipCuts, skipCutsBack } from './skip-cuts.ts'

it('a moment that is left out leads to the next one that is shown', () => {
  const cuts = [[10, 22]] as const
  expect([9.9, 10, 21.9, 22].map((atS) => skipCuts(atS, cuts))).toEqual([9.9, 22, 22, 22])
})

it('a jump back passes over what is left out', () => {
  const cuts = [
    [0, 2],
    [4, 5],
    [10, 22],
  ] as const
  expect(skipCutsBack(18, cuts)).toBe(6)
  expect(skipCutsBack(16.5, cuts)).toBe(3.5)
  expect(skipCutsBack(10.5, cuts)).toBe(2)
  expect(skipCutsBack(7, cuts)).toBe(7)
})
