import { expect, it } from 'vitest'
import { formatDate } from './format-date.ts'

it('names day, month and year', () => {
  expect(formatDate('2026-11-21T12:00:00.000Z')).toBe('Nov 21, 2026')
})

it('writes each month as Intl does', () => {
  const format = new Intl.DateTimeFormat('en', { dateStyle: 'medium' })
  for (let month = 1; month <= 12; month += 1) {
    const date = new Date(2026, month - 1, month)
    expect(formatDate(date.toISOString())).toBe(format.format(date))
  }
})

it.each([null, undefined, '', 'yesterday'])('calls %s an unknown date', (value) => {
  expect(formatDate(value)).toBe('Unknown date')
})
