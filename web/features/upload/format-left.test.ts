import { expect, it } from 'vitest'
import { formatLeft } from './format-left.ts'

it.each([
  [0, 'a few seconds left'],
  [9_999, 'a few seconds left'],
  [10_000, 'about 10 s left'],
  [31_000, 'about 40 s left'],
  [59_999, 'about 60 s left'],
  [60_000, 'about 1 min left'],
  [61_000, 'about 2 min left'],
  [3_600_000, 'about 1 h left'],
  [4_800_000, 'about 1 h 20 min left'],
])('%d ms are %s', (leftMs, text) => {
  expect(formatLeft(leftMs)).toBe(text)
})
