import { describe, expect, it } from 'vitest'
import { formatLastTested, judgeRoundTrip, SPEED_MESSAGES } from './connection-speed.ts'

it.each([
  [0, 'fast'],
  [199.9, 'fast'],
  [200, 'medium'],
  [799.9, 'medium'],
  [800, 'slow'],
  [60_000, 'slow'],
])('a round trip of %d ms is %s', { tags: 'spec-9.10' }, (roundTripMs, speed) => {
  expect(judgeRoundTrip(roundTripMs)).toBe(speed)
})

describe('formatLastTested', () => {
  const MINUTE_MS = 60_000
  it.each([
    [null, 'Never'],
    [0, 'Just now'],
    [MINUTE_MS - 1, 'Just now'],
    [MINUTE_MS, '1m ago'],
    [60 * MINUTE_MS - 1, '59m ago'],
    [60 * MINUTE_MS, '1h ago'],
    [150 * MINUTE_MS, '2h ago'],
  ])('%s ms ago is %s', { tags: 'spec-9.13' }, (ageMs, label) => {
    const nowMs = 1_700_000_000_000
    expect(formatLastTested(ageMs === null ? null : nowMs - ageMs, nowMs)).toBe(label)
  })
})

it('advises in the words of the specification', { tags: 'spec-9.13' }, () => {
  expect(SPEED_MESSAGES).toEqual({
    fast: 'Excellent connection - upload large videos freely',
    medium: 'Good connection - videos up to 50MB recommended',
    slow: 'Slow connection - consider compressing videos first',
    offline: 'No internet connection',
    testing: 'Testing connection speed...',
  })
})
