import { expect, test } from 'vitest'
import { BurstLimit } from './limit-burst.ts'

const BITS_PER_S = 600_000

/** Whether a limit is passed by a frame of so many bits each second. */
function passes(bits: (second: number) => number, seconds = 4 * 3_600): boolean {
  const limit = new BurstLimit(BITS_PER_S)
  for (let at = 0; at < seconds; at++) limit.note({ timestamp: at, byteLength: bits(at) / 8 })
  return limit.isPassed
}

test('keeps for hours what is as dense as the limit, and what is denser for some seconds', () => {
  expect(passes(() => BITS_PER_S)).toBe(false)
  expect(passes((second) => (second % 60 < 2 ? 4 * BITS_PER_S : 0))).toBe(false)
})

test('is passed by what goes on, however little it is above', () => {
  expect(passes(() => 1.1 * BITS_PER_S, 60)).toBe(false)
  expect(passes(() => 1.1 * BITS_PER_S)).toBe(true)
  expect(passes(() => 4 * BITS_PER_S, 5)).toBe(true)
})
