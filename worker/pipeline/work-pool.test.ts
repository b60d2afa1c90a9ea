import { createExecutionContext, createMessageBatch } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { localServices } from '#local/local-services.ts'
import { createWorker } from '#worker/create-worker.ts'
import { JOBS_PER_INVOCATION, type Pool, readInFlight, type Unit, workOff } from './work-pool.ts'

const PART_BYTES = 500_000

interface Watched extends Pool {
  /** Parts in the order in which they were begun. */
  begun: number[]
  most: { jobs: number; bytes: number; groups: number }
}

/** A pool whose jobs take so many milliseconds, and in which the `later` parts become ready once the first has ended. */
function openPool({ inFlight = 60, ms = 1, later = [] as number[] } = {}): Watched {
  const waiting = [...later]
  const most = { jobs: 0, bytes: 0, groups: 0 }
  const begun: number[] = []
  let [jobs, groups] = [0, 0]
  return {
    begun,
    most,
    inFlight,
    async runUnits(tries) {
      begun.push(...tries.map(({ job }) => (job.kind === 'speech' ? job.part : -1)))
      jobs += tries.length
      groups += 1
      most.jobs = Math.max(most.jobs, jobs)
      most.groups = Math.max(most.groups, groups)
      await new Promise((resolve) => setTimeout(resolve, ms))
      jobs -= tries.length
      groups -= 1
      return tries.map(() => ({ retryAfterS: null }))
    },
    findReady: async (limit) => waiting.splice(0, limit).map((part) => unitOf(part)),
  }
}

function unitOf(part: number, sizeBytes = PART_BYTES, settled: number[] = []): Unit {
  return {
    job: { kind: 'speech', moduleId: 'm', run: 1, part },
    attempt: 1,
    sizeBytes,
    settle: async () => void settled.push(part),
  }
}

function unitsOf(count: number, sizeBytes = PART_BYTES): Unit[] {
  return Array.from({ length: count }, (_, part) => unitOf(part, sizeBytes))
}

describe('workOff', () => {
  it('does everything once and settles it, whatever is waiting and becomes ready', async () => {
    const counts = fc.record({
      first: fc.nat(40),
      later: fc.nat(40),
      inFlight: fc.integer({ min: JOBS_PER_INVOCATION, max: 70 }),
    })
    await fc.assert(
      fc.asyncProperty(counts, async ({ first, later, inFlight }) => {
        const settled: number[] = []
        const parts = Array.from({ length: first }, (_, part) => part)
        const pool = openPool({ inFlight, ms: 0, later: Array.from({ length: later }, (_, at) => first + at) })
        await workOff(
          parts.map((part) => unitOf(part, PART_BYTES, settled)),
          pool,
        )
        // With nothing at work nothing is looked for.
        const all = first === 0 ? 0 : first + later
        expect(pool.begun.toSorted((a, b) => a - b)).toEqual(Array.from({ length: all }, (_, part) => part))
        expect(settled.toSorted((a, b) => a - b)).toEqual(parts)
        expect(pool.most.jobs).toBeLessThanOrEqual(inFlight)
      }),
      { numRuns: 40 },
    )
  })

  it('takes up what becomes ready while something else is at work', async () => {
    const pool = openPool({ later: [7] })
    const { runUnits } = pool
    const later = Promise.withResolvers<void>()
    await workOff([unitOf(0)], {
      ...pool,
      // The first one ends only when the later one has begun.
      runUnits: async (tries) => {
        if (tries[0]?.job.kind === 'speech' && tries[0].job.part === 7) later.resolve()
        const outcomes = await runUnits(tries)
        await later.promise
        return outcomes
      },
    })
    expect(pool.begun).toEqual([0, 7])
  })

  it('has no more sound in memory than fits, and still does one part that is larger than that', async () => {
    const large = openPool()
    await workOff(unitsOf(12, 20_000_000), large)
    expect(large.begun).toHaveLength(12)
    expect(large.most.groups).toBe(1)
    const usual = openPool()
    await workOff(unitsOf(60, 520_000), usual)
    expect(usual.most.jobs).toBe(60)
  })

  it('starts no more invocations than one delivery may, and leaves the rest to its messages', async () => {
    const pool = openPool({ later: Array.from({ length: 500 }, (_, part) => part + 1) })
    let invocations = 0
    const { runUnits } = pool
    await workOff([unitOf(0)], {
      ...pool,
      runUnits: (tries) => {
        invocations += 1
        return runUnits(tries)
      },
    })
    expect(invocations).toBeLessThanOrEqual(30)
    expect(pool.begun.length).toBeGreaterThan(100)
    expect(pool.begun.length).toBeLessThan(200)
  })

  it('ends when a job that is at work finds nothing new', async () => {
    const pool = openPool()
    await workOff(unitsOf(3), pool)
    expect(pool.begun).toEqual([0, 1, 2])
  })
})

describe('JOBS_IN_FLIGHT', () => {
  it.each([
    ['1', 1],
    ['60', 60],
  ])('is %s', (text, inFlight) => {
    expect(readInFlight({ ...env, JOBS_IN_FLIGHT: text } as Env)).toBe(inFlight)
  })

  it.each(['', ' ', '0', '-3', '2.5', 'sixty', 'NaN', 'Infinity'])('is refused by its name as %j', (text) => {
    expect(() => readInFlight({ ...env, JOBS_IN_FLIGHT: text } as Env)).toThrow(/JOBS_IN_FLIGHT/)
  })

  it('ends a delivery that could begin no job, instead of waiting for ever', async () => {
    const body = { kind: 'speech', moduleId: 'none', run: 1, part: 0 }
    const batch = createMessageBatch('adapt-speech', [{ id: 'a', timestamp: new Date(), attempts: 1, body }])
    const vars = { ...env, JOBS_IN_FLIGHT: '6O' } as unknown as Env
    const delivery = createWorker(localServices).queue(batch, vars, createExecutionContext())
    await expect(delivery).rejects.toThrow('JOBS_IN_FLIGHT is not a number of jobs of at least 1: 6O')
  })
})
