import { describe, expect, it } from 'vitest'
import { findCut } from './find-cut.ts'

const RANGE = { targetMs: 1000, reachMs: 400 }
const packets = (loudness: (ms: number) => number | null) =>
  Array.from({ length: 100 }, (_, i) => ({ startMs: i * 20, loudness: loudness(i * 20) }))

describe('findCut', () => {
  it('finds the middle of a pause', () => {
    const cut = findCut(
      packets((ms) => (ms >= 700 && ms < 1000 ? 0 : 20)),
      RANGE,
    )
    expect(Math.abs((cut ?? 0) - 850)).toBeLessThanOrEqual(20)
  })

  it('prefers a pause to a single quieter packet inside a word', () => {
    const cut = findCut(
      packets((ms) => (ms === 1000 ? 0 : ms >= 1100 && ms < 1400 ? 4 : 20)),
      RANGE,
    )
    expect(cut).toBeGreaterThan(1200)
  })

  it('looks no farther than its reach', () => {
    expect(
      findCut(
        packets((ms) => (ms < 300 || ms > 1700 ? 0 : 20)),
        RANGE,
      ),
    ).toBe(1000)
  })

  it('takes the packet nearest to the target when all are equally loud', () => {
    expect(
      findCut(
        packets(() => 7),
        { targetMs: 1011, reachMs: 400 },
      ),
    ).toBe(1020)
  })

  it('takes the packet nearest to the target when loudness is unknown', () => {
    expect(
      findCut(
        packets(() => null),
        RANGE,
      ),
    ).toBe(1000)
  })

  it('answers null when no packet lies within reach', () => {
    expect(
      findCut(
        packets(() => 7),
        { targetMs: 5000, reachMs: 400 },
      ),
    ).toBeNull()
  })
})
