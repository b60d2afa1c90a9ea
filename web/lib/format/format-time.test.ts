import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { formatTime, speakTime } from './format-time.ts'

describe('formatTime', () => {
  test.each([
    [0, '00:00'],
    [5.99, '00:05'],
    [60, '01:00'],
    [754, '12:34'],
    [3599.9, '59:59'],
    [3600, '01:00:00'],
    [3725, '01:02:05'],
    [-3, '00:00'],
    [Number.NaN, '00:00'],
  ])('writes %d seconds as %s', (seconds, text) => {
    expect(formatTime(seconds)).toBe(text)
  })

  test('keeps the order of times within the hour', () => {
    const within = fc.integer({ min: 0, max: 3599 })
    fc.assert(fc.property(within, within, (a, b) => Math.sign(a - b) === formatTime(a).localeCompare(formatTime(b))))
  })
})

describe('speakTime', () => {
  test('names only the units that are there', () => {
    expect(speakTime(65)).toBe('1 minute 5 seconds')
    expect(speakTime(3602)).toBe('1 hour 2 seconds')
    expect(speakTime(0)).toBe('0 seconds')
  })
})
