import { describe, expect, it } from 'vitest'
import { dayIn, endOfDay, isTimeZone } from './end-of-day.ts'

describe('the end of a day', () => {
  it.each([
    ['2026-12-31', 'UTC', '2026-12-31T23:59:59.999Z'],
    ['2026-12-31', 'Europe/Berlin', '2026-12-31T22:59:59.999Z'],
    ['2026-12-31', 'America/Los_Angeles', '2027-01-01T07:59:59.999Z'],
    ['2026-12-31', 'Asia/Kolkata', '2026-12-31T18:29:59.999Z'],
    // The clocks go forward and back on these days.
    ['2026-03-29', 'Europe/Berlin', '2026-03-29T21:59:59.999Z'],
    ['2026-10-25', 'Europe/Berlin', '2026-10-25T22:59:59.999Z'],
    ['2026-11-01', 'America/New_York', '2026-11-02T04:59:59.999Z'],
  ])('of %s in %s is %s', (day, zone, expected) => {
    expect(new Date(endOfDay(day, zone)).toISOString()).toBe(expected)
    expect(dayIn(endOfDay(day, zone), zone)).toBe(day)
  })
})

it('knows time zones by their names', () => {
  expect([isTimeZone('Europe/Berlin'), isTimeZone('Europe/Nowhere'), isTimeZone('')]).toEqual([true, false, false])
})
