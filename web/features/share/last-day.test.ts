import fc from 'fast-check'
import { expect, it } from 'vitest'
import { readLastDay, writeLastDay } from './last-day.ts'

it('ends a link with the midnight after its last day', () => {
  expect(new Date(writeLastDay('2026-02-28')).getTime()).toBe(new Date(2026, 2, 1).getTime())
  expect(readLastDay(new Date(2027, 0, 1).toISOString())).toBe('2026-12-31')
})

it('reads back each day as it was chosen', () => {
  const days = fc.date({ min: new Date('2024-01-02'), max: new Date('2099-01-01'), noInvalidDate: true })
  fc.assert(
    fc.property(days, (date) => {
      const day = date.toISOString().slice(0, 10)
      expect(readLastDay(writeLastDay(day))).toBe(day)
    }),
  )
})
