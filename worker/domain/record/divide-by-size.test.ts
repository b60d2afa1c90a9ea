import { expect, it } from 'vitest'
import { divideBySize } from './divide-by-size.ts'

const divide = (sizes: readonly number[]) => divideBySize(sizes, (size) => size, 10)

it('fills each part, in order', () => {
  expect(divide([4, 6, 1, 9, 5, 6])).toEqual([[4, 6], [1, 9], [5], [6]])
  expect(divide([])).toEqual([])
})

it('lets what is larger stand alone', () => {
  expect(divide([3, 12, 3])).toEqual([[3], [12], [3]])
})
