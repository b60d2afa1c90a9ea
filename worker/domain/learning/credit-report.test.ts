import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { PLAYBACK_RATE_MAX } from '#contract/limits.ts'
import { lengthOf, toWholeSeconds } from '#contract/time/time-ranges.ts'
import { creditReport } from './credit-report.ts'
import { EARLY_MAX_S } from './learning-limits.ts'

const DURATION_S = 3_600
const place = fc.double({ min: 0, max: DURATION_S, noNaN: true })
/** So short that the clock often allows all of it. */
const segments = fc
  .array(fc.tuple(place, fc.nat(60)), { maxLength: 3 })
  .map((all) => all.map(([from, lengthS]) => [from, from + lengthS] as const))
/** Reports of up to four sessions of a learner, each some time after the one before. */
const reports = fc.array(fc.record({ session: fc.nat(3), afterMs: fc.nat(60_000), segments }), {
  maxLength: 40,
  size: 'max',
})

const lengthOfAll = (played: readonly (readonly [number, number])[]) =>
  played.reduce((sum, segment) => sum + lengthOf(toWholeSeconds([segment], DURATION_S)), 0)

describe('creditReport', () => {
  it('never credits more than the time since the first session allows, over any number of sessions', {
    tags: 'attack-20',
  }, () => {
    fc.assert(
      fc.property(reports, fc.array(fc.nat(600_000), { minLength: 4, maxLength: 4 }), (all, starts) => {
        let nowMs = Math.max(...starts)
        let creditedUntilMs: number | null = null
        let creditedS = 0
        for (const { session, afterMs, segments: played } of all) {
          nowMs += afterMs
          const startedAtMs = starts[session] ?? 0
          const credit = creditReport({ segments: played, durationS: DURATION_S, startedAtMs, creditedUntilMs, nowMs })
          if (credit.kind !== 'verified') continue
          creditedS += lengthOfAll(played)
          creditedUntilMs = credit.creditedUntilMs
          expect(creditedS).toBeLessThanOrEqual(((nowMs - Math.min(...starts)) * PLAYBACK_RATE_MAX) / 1000)
        }
      }),
    )
  })

  it('credits whatever was played at a rate that the player has, wherever reports are cut', () => {
    const cuts = fc.array(fc.double({ min: 0.1, max: 30, noNaN: true }), { maxLength: 100 })
    fc.assert(
      fc.property(cuts, fc.constantFrom(0.5, 1, 1.75, PLAYBACK_RATE_MAX), (lengths, rate) => {
        const startedAtMs = 1_000_000
        let [fromS, creditedUntilMs] = [0, null as number | null]
        for (const lengthS of lengths) {
          const toS = fromS + lengthS
          // A report that is ahead by the rounding of its last second is to be retried a moment later.
          const nowMs = startedAtMs + (toS * 1000) / rate
          const input = { segments: [[fromS, toS]] as const, durationS: DURATION_S, startedAtMs, creditedUntilMs }
          const early = creditReport({ ...input, nowMs })
          if (early.kind === 'early') expect(early.waitS).toBe(1)
          const credit = early.kind === 'early' ? creditReport({ ...input, nowMs: nowMs + 1_000 }) : early
          if (credit.kind !== 'verified') throw new Error(`${credit.kind} at ${rate} ×`)
          creditedUntilMs = credit.creditedUntilMs
          fromS = toS
        }
      }),
    )
  })

  it('asks for a retry of a report that is a little ahead, and counts one that is far ahead as self-reported', () => {
    const at = (playedS: number) =>
      creditReport({ segments: [[0, playedS]], durationS: 100, startedAtMs: 0, creditedUntilMs: null, nowMs: 1_000 })
    expect(at(2)).toEqual({ kind: 'verified', creditedUntilMs: 1_000 })
    expect(at(3)).toEqual({ kind: 'early', waitS: 1 })
    expect(at((EARLY_MAX_S + 1) * PLAYBACK_RATE_MAX)).toEqual({ kind: 'early', waitS: EARLY_MAX_S })
    expect(at(95)).toEqual({ kind: 'selfReported' })
  })
})
