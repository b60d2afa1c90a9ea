import { expect, it } from 'vitest'
import { formatDuration } from './format-duration.ts'

it.each([
  [0, '0 ms'],
  [999, '999 ms'],
  [1_000, '1.0 s'],
  [12_540, '12.5 s'],
  [59_949, '59.9 s'],
  [59_950, '1 min 0 s'],
  [59_960, '1 min 0 s'],
  [60_000, '1 min 0 s'],
  [119_499, '1 min 59 s'],
  [119_700, '2 min 0 s'],
  [185_000, '3 min 5 s'],
  [3_599_499, '59 min 59 s'],
  [3_599_500, '1 h 0 min'],
  [7_800_000, '2 h 10 min'],
  [7_179_999, '2 h 0 min'],
])('formats %i ms as %s', (ms, text) => {
  expect(formatDuration(ms)).toBe(text)
})
