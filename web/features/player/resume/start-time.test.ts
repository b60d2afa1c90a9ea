import { describe, expect, test } from 'vitest'
import { parseTime, readStartTime } from './start-time.ts'

describe('parseTime', () => {
  test.each([
    ['90', 90],
    ['90.5', 90.5],
    ['0', 0],
    ['90s', 90],
    ['1m30s', 90],
    ['2m', 120],
    ['1h2m3s', 3723],
    ['1:30', 90],
    ['1:02:03', 3723],
    [' 7 ', 7],
  ])('understands %s', (text, seconds) => {
    expect(parseTime(text)).toBe(seconds)
  })

  test.each(['', ' ', '-5', 'NaN', 'Infinity', '1e9', 'abc', '1:99', '12345678', null])('refuses %s', (text) => {
    expect(parseTime(text)).toBeNull()
  })
})

describe('readStartTime', () => {
  test('prefers seek, falls back to t', () => {
    expect(readStartTime(new URLSearchParams('seek=12&t=99'))).toBe(12)
    expect(readStartTime(new URLSearchParams('seek=oops&t=1m30s'))).toBe(90)
    expect(readStartTime(new URLSearchParams('processing=true'))).toBeNull()
  })
})
