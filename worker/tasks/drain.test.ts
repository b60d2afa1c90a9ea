import { createExecutionContext, createMessageBatch } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { localServices } from '#local/local-services.ts'
import type { Doorbell } from '#worker/core/context.ts'
import { createWorker } from '#worker/create-worker.ts'
import { subjectOf } from '#worker/domain/run/run-subject.ts'
import { openContext } from '#worker/entry/open-context.ts'
import { linesWhere } from '#worker/log/testing/lines.ts'
import { TASK_HANDLERS } from '#worker/pipeline/task-handlers.ts'
import { meteredD1, openD1Meter } from '#worker/pipeline/testing/metered-d1.ts'
import { addTask, holdTasks, isDone, seedOpenRun, settle } from '#worker/pipeline/testing/seed-tasks.ts'
import { CLAIMS_MAX, DRAIN_MAX_MS, type Drain, drain, readInFlight, TASKS_PER_INVOCATION } from './drain.ts'
import { MAX_ATTEMPTS } from './retry.ts'
import type { Task } from './task.ts'
import { retryTask } from './task-store.ts'

holdTasks()

interface Watched extends Drain {
  /** Chunks in the order in which they were begun. */
  begun: number[]
  rung: { kind: string; delayS: number }[]
  most: { tasks: number; groups: number }
}

function watch({ inFlight = 60, run = async (_tasks: Task[]): Promise<void> => {} } = {}): Watched {
  const rung: Watched['rung'] = []
  const send = async ({ kind }: Doorbell, options?: { delaySeconds?: number }) =>
    void rung.push({ kind, delayS: options?.delaySeconds ?? 0 })
  const queue = { send } as unknown as Queue
  const most = { tasks: 0, groups: 0 }
  const begun: number[] = []
  let [tasks, groups] = [0, 0]
  return {
    ...openContext(env),
    handlers: TASK_HANDLERS,
    queues: { ingest: queue, transcribe: queue, write_steps: queue, translate: queue, notify: queue },
    nowMs: () => Date.now(),
    begun,
    rung,
    most,
    inFlight,
    async runTasks(claimed) {
      begun.push(...claimed.map(({ index }) => index))
      tasks += claimed.length
      groups += 1
      most.tasks = Math.max(most.tasks, tasks)
      most.groups = Math.max(most.groups, groups)
      try {
        await run(claimed)
        for (const task of claimed) await settle(task)
      } finally {
        tasks -= claimed.length
        groups -= 1
      }
    },
  }
}

async function seedChunks(count: number, sizeBytes = 500_000) {
  const id = await seedOpenRun()
  for (let index = 0; index < count; index++) await addTask({ ...id, index, sizeBytes })
  return id
}

const upTo = (count: number) => Array.from({ length: count }, (_, index) => index)

const realSetTimeout = globalThis.setTimeout

/** Lets every pause of a drain pass at once. @returns how long they would have been */
function skipPauses(): number[] {
  const pauses: number[] = []
  const skip = (done: () => void, ms = 0) => {
    pauses.push(ms)
    return realSetTimeout(done, 0)
  }
  const spy = vi.spyOn(globalThis, 'setTimeout').mockImplementation(skip as never)
  onTestFinished(() => spy.mockRestore())
  return pauses
}

describe('drain', () => {
  it('does everything that is ready once, in groups of six, and no more at once than may be', async () => {
    await seedChunks(40)
    const pool = watch({ inFlight: 13 })
    await drain('transcribe', pool)
    expect(pool.begun.toSorted((a, b) => a - b)).toEqual(upTo(40))
    expect(pool.most.tasks).toBeLessThanOrEqual(13)
    expect(pool.rung).toEqual([])
  })

  it('asks the database 500 times and rings again while a call hangs, as D1 answers a thousand queries', async () => {
    const pauses = skipPauses()
    await seedChunks(1)
    const meter = openD1Meter()
    const hasStopped = async () => {
      for (let before = -1; before !== meter.statements; ) {
        before = meter.statements
        await new Promise((resolve) => realSetTimeout(resolve, 500))
      }
    }
    const pool = { ...watch({ run: hasStopped }), d1: meteredD1(env.DB, () => meter) }
    await drain('transcribe', pool)
    expect([meter.statements, CLAIMS_MAX]).toEqual([500, 500])
    expect(pauses.slice(0, 4)).toEqual([200, 400, 500, 500])
    expect(pool.rung).toEqual([{ kind: 'transcribe', delayS: 0 }])
  })

  it('does not ask the database for more while as many are in progress as may be', async () => {
    skipPauses()
    await seedChunks(12)
    const meter = openD1Meter()
    const asked: number[] = []
    const run = async () => {
      const before = meter.statements
      await new Promise((resolve) => realSetTimeout(resolve, 50))
      asked.push(meter.statements - before)
    }
    const pool = { ...watch({ inFlight: 6, run }), d1: meteredD1(env.DB, () => meter) }
    await drain('transcribe', pool)
    expect([asked, pool.begun]).toEqual([[0, 0], upTo(12)])
  })

  it('says that it has failed where its first claim does, and rings nothing: recovery does', async () => {
    const warnings = vi.spyOn(console, 'warn').mockImplementation(() => {})
    onTestFinished(() => warnings.mockRestore())
    await seedChunks(1)
    let statements = 0
    const prepare = (query: string) => {
      statements += 1
      if (statements === 1) throw new Error('D1 does not answer')
      return env.DB.prepare(query)
    }
    const pool = { ...watch(), d1: { prepare } as unknown as D1Database }
    await drain('transcribe', pool)
    expect(linesWhere(warnings, () => true).map(({ event }) => event)).toEqual(['drain_failed'])
    expect([pool.rung, statements]).toEqual([[], 1])
  })

  it('takes up what becomes ready while something else is in progress', async () => {
    const id = await seedChunks(1)
    const later = Promise.withResolvers<void>()
    const pool = watch({
      run: async ([task]) => {
        if (task?.index === 7) return later.resolve()
        await addTask({ ...id, index: 7 })
        // The first one ends only when the later one has begun.
        await later.promise
      },
    })
    await drain('transcribe', pool)
    expect(pool.begun).toEqual([0, 7])
  })

  it('has no more audio in memory than fits, and still does one chunk that is larger than that', async () => {
    await seedChunks(3, 40_000_000)
    const large = watch()
    await drain('transcribe', large)
    expect(large.begun).toHaveLength(3)
    expect(large.most.tasks).toBe(1)
    await seedChunks(60, 520_000)
    const all = Promise.withResolvers<void>()
    const usual: Watched = watch({
      run: async () => {
        if (usual.most.tasks >= 60) all.resolve()
        await all.promise
      },
    })
    await drain('transcribe', usual)
    expect(usual.most.tasks).toBe(60)
  })

  it('cuts one slice at a time', async () => {
    const ids = [await seedOpenRun(), await seedOpenRun()]
    for (const id of ids) await addTask({ ...id, kind: 'ingest', index: 0 })
    const pool = watch()
    await drain('ingest', pool)
    expect([pool.begun, pool.most.tasks]).toEqual([[0, 0], 1])
  })

  it('starts no more invocations than one delivery may, and rings for the rest', async () => {
    await seedChunks(200)
    const pool = watch()
    await drain('transcribe', pool)
    expect(pool.begun).toHaveLength(30 * TASKS_PER_INVOCATION)
    expect(pool.rung).toEqual([{ kind: 'transcribe', delayS: 0 }])
    await drain('transcribe', pool)
    expect(pool.begun).toHaveLength(200)
  })

  it('begins nothing more once its time is over, and rings for the rest', async () => {
    await seedChunks(TASKS_PER_INVOCATION + 1)
    const startMs = Date.now()
    let nowMs = startMs
    const run = async () => void (nowMs = startMs + DRAIN_MAX_MS)
    const pool = { ...watch({ run }), nowMs: () => nowMs }
    await drain('transcribe', pool)
    expect(pool.begun).toHaveLength(TASKS_PER_INVOCATION)
    expect(pool.rung).toEqual([{ kind: 'transcribe', delayS: 0 }])
  })

  it('releases the tasks that a lost invocation had claimed, and rings when they are due', {
    tags: 'fault-17',
  }, async () => {
    const id = await seedChunks(2)
    const errors = vi.spyOn(console, 'error').mockImplementation(() => {})
    const pool = watch({ run: () => Promise.reject(new Error('out of memory')) })
    await drain('transcribe', pool)
    expect(linesWhere(errors, ({ event }) => event === 'invocation_lost')).toMatchObject([{ count: 2 }])
    errors.mockClear()
    expect(pool.rung).toMatchObject([{ kind: 'transcribe' }])
    expect(pool.rung[0]?.delayS).toBeGreaterThan(0)
    const row = env.DB.prepare('SELECT attempts, lease_until FROM task_queue WHERE subject_id = ? AND idx = 0')
    expect(await row.bind(subjectOf(id).subjectId).first()).toEqual({ attempts: 1, lease_until: 0 })
    expect(await isDone({ ...id, index: 0 })).toBe(false)
  })

  it('gives up a task whose invocation was lost as often as a task may fail, and no sooner', {
    tags: 'fault-17',
  }, async () => {
    const id = await seedChunks(2)
    const errors = vi.spyOn(console, 'error').mockImplementation(() => {})
    vi.spyOn(console, 'warn').mockImplementation(() => {})
    const setAttempts = env.DB.prepare('UPDATE task_queue SET attempts = ? WHERE subject_id = ? AND idx = ?')
    await setAttempts.bind(MAX_ATTEMPTS - 2, subjectOf(id).subjectId, 0).run()
    await setAttempts.bind(MAX_ATTEMPTS - 1, subjectOf(id).subjectId, 1).run()
    const givenUp: number[] = []
    const onGiveUp = async (task: Task) => {
      givenUp.push(task.index)
      await settle(task)
    }
    const transcribe = { ...TASK_HANDLERS.transcribe, onGiveUp }
    const pool = watch({ run: () => Promise.reject(new Error('out of memory')) })
    await drain('transcribe', { ...pool, handlers: { ...TASK_HANDLERS, transcribe } })
    errors.mockClear()
    expect(givenUp).toEqual([1])
    const row = env.DB.prepare('SELECT attempts FROM task_queue WHERE subject_id = ? AND idx = 0')
    expect(await row.bind(subjectOf(id).subjectId).first('attempts')).toBe(MAX_ATTEMPTS - 1)
  })

  it.each([
    ['when it is due', 90, 90],
    ['after twelve hours at the latest, as a message waits no longer', 13 * 60 * 60, 12 * 60 * 60],
  ])('rings for the next attempt of what has failed, %s', async (_, dueInS, delayS) => {
    await seedChunks(1)
    const nowMs = Date.now()
    const run = async ([task]: Task[]) => {
      if (task === undefined) return
      await retryTask(env.DB, task, { attempts: 1, busySince: null, nextAttemptAt: nowMs + dueInS * 1_000 })
    }
    const pool = { ...watch({ run }), nowMs: () => nowMs }
    await drain('transcribe', pool)
    expect(pool.rung).toEqual([{ kind: 'transcribe', delayS }])
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

  it('ends a delivery that could begin no task, instead of waiting for ever', async () => {
    const body = { kind: 'transcribe' }
    const batch = createMessageBatch('adapt-speech', [{ id: 'a', timestamp: new Date(), attempts: 1, body }])
    const vars = { ...env, JOBS_IN_FLIGHT: '6O' } as unknown as Env
    const delivery = createWorker(localServices).queue(batch, vars, createExecutionContext())
    await expect(delivery).rejects.toThrow('JOBS_IN_FLIGHT is not a number of tasks of at least 1: 6O')
  })
})
