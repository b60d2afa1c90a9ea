import fc from 'fast-check'
import { expect, it } from 'vitest'
import { RateMeter } from './rate-meter.ts'

it('does not guess before it has seen enough', () => {
  const meter = new RateMeter()
  expect(meter.note(0, 0)).toBeNull()
  expect(meter.note(500_000, 1_499)).toBeNull()
  expect(meter.note(1_000_000, 2_000)).toBe(500_000)
})

it('follows a line that becomes slower within its window', () => {
  const meter = new RateMeter()
  for (let second = 0; second <= 10; second += 1) meter.note(second * 1_000, second * 1_000)
  let rate: number | null = null
  for (let second = 11; second <= 25; second += 1) rate = meter.note(10_000 + (second - 10) * 100, second * 1_000)
  expect(rate).toBe(100)
})

it('starts over when bytes have to be sent again', () => {
  const meter = new RateMeter()
  meter.note(0, 0)
  meter.note(10_000, 5_000)
  expect(meter.note(8_000, 5_500)).toBeNull()
  expect(meter.note(10_000, 7_500)).toBe(1_000)
})

it('is right about a steady line, however often it is asked', () => {
  const gaps = fc.array(fc.integer({ min: 50, max: 3_000 }), { minLength: 3, maxLength: 60 })
  fc.assert(
    fc.property(gaps, fc.integer({ min: 1, max: 10_000 }), (gapsMs, bytesPerMs) => {
      const meter = new RateMeter()
      let atMs = 0
      for (const gapMs of gapsMs) {
        const rate = meter.note(atMs * bytesPerMs, atMs)
        expect(rate ?? bytesPerMs * 1000).toBeCloseTo(bytesPerMs * 1000)
        atMs += gapMs
      }
    }),
  )
})
