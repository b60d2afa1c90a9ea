import { expect, it } from 'vitest'
import { formatDate } from './format.ts'

it('names day, month and year', () => {
  expect(formatDate('2026-11-21T12:00:00.000Z')).toBe('Nov 21, 2026')
})

it.each([null, undefined, '', 'yesterday'])('calls %s an unknown date', (value) => {
  expect(formatDate(value)).toBe('Unknown date')
})
