import { expect, test } from 'vitest'
import { endAt, isShown, listShown, spreadOver } from './shown-parts.ts'

const END = Number.POSITIVE_INFINITY

test.each([
  ['nothing is left out', [], [[0, END]]],
  [
    'a range in it is',
    [[10, 20]],
    [
      [0, 10],
      [20, END],
    ],
  ],
  ['its beginning is', [[0, 5]], [[5, END]]],
  ['its end is', [[50, 60]], [[0, 50]]],
  ['its end is, to a millisecond', [[50, 59.999]], [[0, 50]]],
  ['all of it is', [[0, 60]], []],
] as const)('where %s, the rest goes into the copy', (_, cuts, expected) => {
  expect(listShown(cuts, 60)).toEqual(expected)
})

test('moments are spread over what is shown, and are in it', () => {
  const shown = listShown([[10, 30]], 40)
  const parts = endAt(shown, 40)
  expect(parts).toEqual([
    [0, 10],
    [30, 40],
  ])
  const moments = spreadOver(parts, 4)
  expect(moments).toEqual([2.5, 7.5, 32.5, 37.5])
  expect(moments.every((moment) => isShown(moment, shown))).toBe(true)
  expect(isShown(10, shown)).toBe(false)
  expect(isShown(29.99, shown)).toBe(false)
  expect(spreadOver([[0, 4]], 2)).toEqual([1, 3])
})
