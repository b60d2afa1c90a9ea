import fc from 'fast-check'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { AppError } from '#worker/core/errors.ts'
import { BUSY_MAX_MS, delayAfter, isOnlyWaiting, MAX_ATTEMPTS, planRetry } from './retry.ts'

const BUSY = new AppError('ai_busy', 'Busy.')
const LOST = new Error('lost')

/** Makes each pause as long as it can be. */
function pauseLongest(): void {
  const random = vi.spyOn(Math, 'random').mockReturnValue(1)
  onTestFinished(() => random.mockRestore())
}

describe('planRetry', () => {
  it('never counts a busy model, and gives up neither it nor a failing task before its bound', {
    tags: 'fault-16',
  }, () => {
    fc.assert(
      fc.property(fc.nat(MAX_ATTEMPTS - 2), fc.option(fc.nat(BUSY_MAX_MS - 1)), (attempts, busyForMs) => {
        const nowMs = 10 * BUSY_MAX_MS
        const busySince = busyForMs === null ? null : nowMs - busyForMs
        const waits = planRetry({ attempts, busySince, openSince: 1 }, BUSY, nowMs)
        expect(waits).toMatchObject({ attempts, busySince: busySince ?? nowMs })
        expect(waits?.nextAttemptAt).toBeGreaterThan(nowMs)
        const fails = planRetry({ attempts, busySince, openSince: 1 }, LOST, nowMs)
        expect(fails).toMatchObject({ attempts: attempts + 1, busySince: null })
        expect(fails?.nextAttemptAt).toBeGreaterThan(nowMs)
      }),
    )
    expect(planRetry({ attempts: 0, busySince: 1, openSince: 1 }, BUSY, 1 + BUSY_MAX_MS)).toBeNull()
    expect(planRetry({ attempts: MAX_ATTEMPTS - 1, busySince: null, openSince: 1 }, LOST, 1)).toBeNull()
    expect(planRetry({ attempts: 0, busySince: null, openSince: 1 }, new AppError('ai_quota', 'Over.'), 1)).toBeNull()
  })

  it('gives up at the seventh failure, and after three hours of a busy model', () => {
    const after = (attempts: number) => planRetry({ attempts, busySince: null, openSince: 0 }, LOST, 0)
    expect([after(5)?.attempts, after(6)]).toEqual([6, null])
    const threeHoursMs = 3 * 60 * 60_000
    const afterBusy = (ms: number) => planRetry({ attempts: 0, busySince: 0, openSince: 0 }, BUSY, ms)
    expect([afterBusy(threeHoursMs - 1)?.busySince, afterBusy(threeHoursMs)]).toEqual([0, null])
  })

  it('doubles the pause with each failure, up to two minutes', () => {
    pauseLongest()
    const pauseAfter = (attempts: number) =>
      planRetry({ attempts, busySince: null, openSince: 0 }, LOST, 0)?.nextAttemptAt
    expect([0, 1, 2, 3, 4, 5].map(pauseAfter)).toEqual([2_000, 4_000, 8_000, 16_000, 32_000, 64_000])
    expect(delayAfter(LOST, 6)).toBe(120)
    expect(delayAfter(LOST, 60)).toBe(120)
  })

  it('doubles the pauses of a model that stays busy, up to two minutes', () => {
    pauseLongest()
    const pauseAfter = (busyForMs: number) =>
      (planRetry({ attempts: 0, busySince: 0, openSince: 0 }, BUSY, busyForMs)?.nextAttemptAt ?? 0) - busyForMs
    expect([0, 2_000, 4_000, 30_000, 600_000].map(pauseAfter)).toEqual([2_000, 2_000, 4_000, 30_000, 120_000])
  })

  it('waits half as long at least, so that tasks that failed together do not come back together', () => {
    const random = vi.spyOn(Math, 'random').mockReturnValue(0)
    onTestFinished(() => random.mockRestore())
    expect(planRetry({ attempts: 3, busySince: null, openSince: 0 }, LOST, 0)?.nextAttemptAt).toBe(8_000)
  })

  it('adds its own pause to the one that a service asks for', () => {
    pauseLongest()
    const error = new AppError('ai_timeout', 'Later.', { retryAfterS: 30 })
    expect(planRetry({ attempts: 1, busySince: null, openSince: 0 }, error, 0)?.nextAttemptAt).toBe(34_000)
  })

  it('waits up to a minute for a database that is away, however often it has failed', () => {
    pauseLongest()
    const away = new Error('D1_ERROR: Network connection lost.')
    expect([delayAfter(away, 0), delayAfter(away, 5)]).toEqual([60, 60])
  })
})

describe('isOnlyWaiting', () => {
  const paced = new AppError('ai_busy', 'Later.', { isPaced: true })

  it('is a call that our own pace refused, while its subject is young', () => {
    expect(isOnlyWaiting(paced, { openSince: 1 }, BUSY_MAX_MS)).toBe(true)
    expect(isOnlyWaiting(paced, { openSince: 1 }, 1 + BUSY_MAX_MS)).toBe(false)
    expect(isOnlyWaiting(BUSY, { openSince: 1 }, 1)).toBe(false)
    expect(planRetry({ attempts: 2, busySince: null, openSince: 1 }, paced, 1)).toMatchObject({
      attempts: 2,
      busySince: null,
    })
  })

  it('waits as long as after a first failure, however often the task has failed before', () => {
    pauseLongest()
    const next = planRetry({ attempts: 2, busySince: null, openSince: 1 }, paced, 1)
    expect(next?.nextAttemptAt).toBe(2_001)
  })
})
