import { env } from 'cloudflare:workers'
import { beforeEach, describe, expect, it } from 'vitest'
import { AppError } from '#worker/core/errors.ts'
import { linesOf } from '#worker/log/testing/lines.ts'
import type { HealthAlert } from '#worker/ports/alert.ts'
import { alertOfHealth } from './alert-of-health.ts'
import type { PartsHealth } from './probe-parts.ts'

const WELL: PartsHealth = { d1: 'ok', r2: 'ok', queues: 'ok', ai: 'not called yet', durableObjects: 'ok' }
const BAD: PartsHealth = { ...WELL, r2: 'unreachable: videos cannot be uploaded or played' }
const START_MS = Date.UTC(2026, 10, 29, 1, 0)
const debugUrl = 'https://adapt.example.com/debug'

beforeEach(() => env.DB.prepare('DELETE FROM outcomes').run())

/** Sweeps of these minutes, each with how the parts are. @returns what was sent, by minute */
function openSweeps(send?: (minute: number) => Promise<void>) {
  const sent: [minute: number, alert: HealthAlert][] = []
  const sweepAt = async (minute: number, parts: PartsHealth) => {
    const alerts = {
      environment: 'production',
      debugUrl,
      send: async (alert: HealthAlert) => {
        await send?.(minute)
        sent.push([minute, alert])
      },
    }
    await alertOfHealth({ d1: env.DB, nowMs: () => START_MS + minute * 60_000 }, parts, alerts)
  }
  const sweeps = async (from: number, to: number, parts: PartsHealth) => {
    for (let minute = from; minute <= to; minute++) await sweepAt(minute, parts)
  }
  return { sent, sweeps, states: () => sent.map(([minute, { state }]) => [minute, state]) }
}

describe('an alert', () => {
  it('is sent once when health has been bad for ten minutes, and once when it is well again', async () => {
    const { sent, sweeps, states } = openSweeps()
    await sweeps(0, 2, WELL)
    await sweeps(3, 30, BAD)
    await sweeps(31, 40, WELL)
    expect(states()).toEqual([
      [13, 'bad'],
      [31, 'well'],
    ])
    expect(sent.map(([, alert]) => alert)).toEqual([
      {
        state: 'bad',
        text: `Adapt (production) is not well since 2026-11-29T01:03:00.000Z. r2: ${BAD.r2}. ${debugUrl}`,
        since: '2026-11-29T01:03:00.000Z',
        parts: { r2: BAD.r2 },
        environment: 'production',
        debugUrl,
      },
      {
        state: 'well',
        text: 'Adapt (production) is well again since 2026-11-29T01:31:00.000Z.',
        since: '2026-11-29T01:31:00.000Z',
        parts: {},
        environment: 'production',
        debugUrl,
      },
    ])
  })

  it('is not sent of what passes within ten minutes, however often', async () => {
    const { sweeps, states } = openSweeps()
    for (const begin of [0, 11, 22]) {
      await sweeps(begin, begin + 9, BAD)
      await sweeps(begin + 10, begin + 10, WELL)
    }
    expect(states()).toEqual([])
  })

  it('is sent where health was bad from the very first sweep, and again of the next bad time', async () => {
    const { sweeps, states } = openSweeps()
    await sweeps(0, 11, BAD)
    await sweeps(12, 12, WELL)
    await sweeps(13, 40, BAD)
    expect(states()).toEqual([
      [10, 'bad'],
      [12, 'well'],
      [23, 'bad'],
    ])
  })

  it('is tried again with the next sweep where the receiver has not taken it, which the log says', async () => {
    const taken = new Set([12, 22])
    const { sweeps, states } = openSweeps(async (minute) => {
      if (!taken.has(minute)) throw new AppError('unavailable', 'The receiver of alerts has not taken one.')
    })
    const lines = await linesOf(async () => {
      await sweeps(0, 19, BAD)
      await sweeps(20, 25, WELL)
    })
    expect(states()).toEqual([
      [12, 'bad'],
      [22, 'well'],
    ])
    const failed = lines.filter(({ event }) => event === 'alert_failed')
    expect(failed.map(({ outcome, code }) => [outcome, code])).toEqual([
      ['bad', 'unavailable'],
      ['bad', 'unavailable'],
      ['well', 'unavailable'],
      ['well', 'unavailable'],
    ])
    expect(lines.filter(({ event }) => event === 'alert').map(({ outcome }) => outcome)).toEqual(['bad', 'well'])
  })

  it('writes nothing while health stays as it is', async () => {
    const { sweeps } = openSweeps()
    await sweeps(0, 20, WELL)
    const rows = env.DB.prepare("SELECT ok_at AS okAt, failed_at AS failedAt FROM outcomes WHERE part = 'health'")
    expect((await rows.all()).results).toEqual([{ okAt: START_MS, failedAt: null }])
  })
})
