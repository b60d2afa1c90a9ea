import { expect, it } from 'vitest'
import { formatSpan } from './debug-timeline.tsx'

const FROM = '2026-11-22T10:00:00.000Z'

it.each([
  ['2026-11-22T10:03:05.000Z', '3 min 5 s'],
  // An end before its beginning.
  ['2026-11-22T09:59:59.995Z', '0 ms'],
])('formats the span until %s as %s', (to, text) => {
  expect(formatSpan(FROM, to)).toBe(text)
})
