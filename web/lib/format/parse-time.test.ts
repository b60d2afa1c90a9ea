import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { formatTime } from './format-time.ts'
import { parseTime } from './parse-time.ts'

describe('parseTime', () => {
  test.each([
    ['00:00', 0],
    ['0:05', 5],
    ['12:34', 754],
    [' 59:59 ', 3599],
    ['75:30', 4530],
    ['1:02:05', 3725],
    ['01:00:00', 3600],
    ['100:59:59', 363_599],
  ])('reads %s as %d seconds', (text, seconds) => {
    expect(parseTime(text)).toBe(seconds)
  })

  test.each([
    '',
    '5',
    '0:5',
    '00:60',
    '1:60:00',
    '1:5:00',
    '-0:05',
    '1:00:00:00',
    'abc',
    '12:34.5',
    '１2:34',
    '1:005:00',
  ])('refuses "%s"', (text) => {
    expect(parseTime(text)).toBeNull()
  })

  test('reads back every time that is shown', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 3_599_999 }), (seconds) => parseTime(formatTime(seconds)) === seconds),
    )
  })

  test('reads no text that has no colon', () => {
    const text = fc.string().filter((some) => !some.includes(':'))
    fc.assert(fc.property(text, (some) => parseTime(some) === null))
  })
})
