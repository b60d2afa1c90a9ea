import { evictDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type PacedCall, planCall } from './call-pacer.ts'

const MINUTE = 60_000
const PATIENT = { isUrgent: false, maxWaitMs: 30_000 }

/** Asks for calls at these moments. @returns when those that were granted begin */
function play(calls: readonly (PacedCall & { atMs: number })[]): { beganMs: number[]; refused: number } {
  let freeAtMs = 0
  const beganMs: number[] = []
  for (const { atMs, ...call } of calls) {
    const plan = planCall(freeAtMs, call, atMs)
    freeAtMs = plan.freeAtMs
    if (plan.turn.isGranted) beganMs.push(atMs + plan.turn.waitMs)
  }
  return { beganMs, refused: calls.length - beganMs.length }
}

describe('planCall', () => {
  it('lets no minute have more calls than the account allows, whenever they are asked for', () => {
    const asked = fc.record({
      perMinute: fc.integer({ min: 1, max: 720 }),
      pausesMs: fc.array(fc.integer({ min: 0, max: 2_000 }), { minLength: 50, maxLength: 400 }),
    })
    fc.assert(
      fc.property(asked, ({ perMinute, pausesMs }) => {
        let atMs = 1_000_000
        const { beganMs } = play(pausesMs.map((ms) => ({ ...PATIENT, perMinute, atMs: (atMs += ms) })))
        beganMs.forEach((fromMs) => {
          const within = beganMs.filter((ms) => ms >= fromMs && ms < fromMs + MINUTE)
          expect(within.length).toBeLessThanOrEqual(perMinute)
        })
      }),
      { numRuns: 50 },
    )
  })

  it('gives nine tenths of what is allowed to calls that never stop coming', () => {
    const calls = Array.from({ length: 10_000 }, (_, at) => ({ ...PATIENT, perMinute: 720, atMs: 1_000_000 + at * 30 }))
    const { beganMs } = play(calls)
    const lastMs = 1_000_000 + 10_000 * 30
    const inLastMinute = beganMs.filter((ms) => ms >= lastMs - MINUTE && ms < lastMs)
    expect(inLastMinute.length).toBeGreaterThanOrEqual(0.89 * 720)
  })

  it('refuses a call that would wait too long, which takes no place, and says how long', () => {
    const first = planCall(0, { ...PATIENT, perMinute: 1 }, 1_000)
    const second = planCall(first.freeAtMs, { ...PATIENT, perMinute: 1 }, 1_000)
    expect(second).toEqual({ turn: { waitMs: 66_667, isGranted: false }, freeAtMs: first.freeAtMs })
    expect(planCall(second.freeAtMs, { ...PATIENT, perMinute: 1 }, 38_000).turn).toMatchObject({ isGranted: true })
  })

  it('begins an urgent call at once, and lets later ones wait for it', () => {
    const urgent = { perMinute: 60, isUrgent: true, maxWaitMs: 0 }
    let freeAtMs = 1_000_000
    for (let call = 0; call < 5; call++) {
      const plan = planCall(freeAtMs, urgent, 1_000_000)
      expect(plan.turn).toEqual({ waitMs: 0, isGranted: true })
      freeAtMs = plan.freeAtMs
    }
    expect(planCall(freeAtMs, { ...PATIENT, perMinute: 60 }, 1_000_000).turn.waitMs).toBe(3_889)
  })

  it('leaves a share to patient calls however many are urgent, and never gives them more than is allowed', () => {
    const asked = fc.record({
      perMinute: fc.integer({ min: 30, max: 720 }),
      // Urgent calls of a minute, up to three times the limit, and how many of them come at once.
      share: fc.double({ min: 0, max: 3, noNaN: true }),
      together: fc.integer({ min: 1, max: 300 }),
    })
    fc.assert(
      fc.property(asked, ({ perMinute, share, together }) => {
        let freeAtMs = 0
        let urgentDue = 0
        const beganMs: number[] = []
        const everyMs = MINUTE / perMinute
        for (let atMs = MINUTE; atMs < 11 * MINUTE; atMs += everyMs) {
          urgentDue += share
          for (; urgentDue >= together; urgentDue -= together)
            for (let call = 0; call < together; call++) {
              const { turn, freeAtMs: next } = planCall(
                freeAtMs,
                { perMinute, isUrgent: true, maxWaitMs: MINUTE },
                atMs,
              )
              expect(turn).toEqual({ waitMs: 0, isGranted: true })
              expect(next).toBeGreaterThanOrEqual(freeAtMs)
              freeAtMs = next
            }
          const plan = planCall(freeAtMs, { perMinute, isUrgent: false, maxWaitMs: MINUTE }, atMs)
          freeAtMs = plan.freeAtMs
          if (plan.turn.isGranted) beganMs.push(atMs + plan.turn.waitMs)
        }
        for (let minute = 2; minute < 11; minute++) {
          const within = beganMs.filter((ms) => ms >= minute * MINUTE && ms < (minute + 1) * MINUTE)
          expect(within.length).toBeLessThanOrEqual(perMinute)
        }
        expect(beganMs.length).toBeGreaterThanOrEqual(0.25 * 10 * perMinute)
      }),
      { numRuns: 50 },
    )
  })

  it('forgets urgent calls after a minute', () => {
    let freeAtMs = 0
    for (let call = 0; call < 1_500; call++)
      freeAtMs = planCall(freeAtMs, { perMinute: 300, isUrgent: true, maxWaitMs: 0 }, 1_000_000).freeAtMs
    expect(freeAtMs).toBe(1_000_000 + MINUTE)
  })
})

it('keeps the pace when its object is evicted', async () => {
  const pacer = env.CALL_PACER.get(env.CALL_PACER.idFromName('evicted'))
  expect(await pacer.take({ ...PATIENT, perMinute: 1 })).toEqual({ waitMs: 0, isGranted: true })
  await evictDurableObject(pacer)
  expect(await pacer.take({ ...PATIENT, perMinute: 1 })).toMatchObject({ isGranted: false })
})
