import { env } from 'cloudflare:workers'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { plantDeletion } from '#local/testing/modules.ts'
import { AppError } from '#worker/core/errors.ts'
import { openDb } from '#worker/db/db.ts'
import { insertRun } from '#worker/domain/run/run-store.ts'
import {
  claimTasks,
  extendLeases,
  findNextDueMs,
  LEASE_MS,
  type RunId,
  retryTask,
  type Task,
} from './task-store.ts'
import { WATCH_EVERY_MS } from '#worker/pipeline/recover.ts'
import { BUSY_MAX_MS, MAX_ATTEMPTS, planRetry } from './retry.ts'
import { addTask, clearTasks, holdTasks, isDone, plantOpenRun, settle } from '#worker/pipeline/testing/plant-tasks.ts'

holdTasks()

const RUNS = Number(env.FAULT_RUNS || 30)
const LIMIT_MS = 60_000 * Math.max(1, RUNS / 30)
const SEARCH = { numRuns: RUNS, interruptAfterTimeLimit: LIMIT_MS }

function claim(limit: number, nowMs: number, room: { bytes?: number; isIdle?: boolean } = {}): Promise<Task[]> {
  return claimTasks(env.DB, 'transcribe', { limit, nowMs, bytes: Number.MAX_SAFE_INTEGER, isIdle: true, ...room })
}

async function rowsOf({ moduleId }: RunId) {
  const { results } = await env.DB.prepare(
    `SELECT idx AS "index", state, attempts, lease_until AS leaseUntil, next_attempt_at AS nextAttemptAt
     FROM tasks WHERE module_id = ? ORDER BY idx`,
  )
    .bind(moduleId)
    .all<{ index: number; state: string; attempts: number; leaseUntil: number; nextAttemptAt: number }>()
  return results
}

async function plantTasks(count: number, fields: Parameters<typeof plantOpenRun>[0] = {}): Promise<RunId> {
  const id = await plantOpenRun(fields)
  for (let index = 0; index < count; index++) await addTask({ ...id, index })
  return id
}

/** One thing that consumers, workers or the clock do; `which` picks one of the claims that were made so far. */
const happening = fc.oneof(
  fc.record({ kind: fc.constant('claim' as const), limit: fc.integer({ min: 1, max: 4 }) }),
  fc.record({ kind: fc.constant('claim twice' as const), limit: fc.integer({ min: 1, max: 4 }) }),
  fc.record({
    kind: fc.constantFrom('settle' as const, 'fail' as const, 'busy' as const, 'beat' as const),
    which: fc.nat(20),
  }),
  // A worker that dies does nothing more: its claim is just never settled.
  fc.record({ kind: fc.constant('pass' as const), ms: fc.constantFrom(100, 5_000, LEASE_MS, 2 * LEASE_MS) }),
)

describe('tasks that any number of consumers claim, settle, drop and lose in any order', () => {
  const COUNT = 5

  it(
    'tasks that any number of consumers claim, settle, drop and lose in any order are done once each, count every failure, and are never forgotten',
    async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(happening, { minLength: 5, maxLength: 30 }), async (happenings) => {
          await clearTasks()
          const id = await plantTasks(COUNT)
          let nowMs = 1_000_000
          const claims: Task[] = []
          const effects = new Map<number, number>()
          const attempts = new Map<number, number>()

          async function take(limit: number): Promise<void> {
            const before = await rowsOf(id)
            const claimed = await claim(limit, nowMs)
            // No other consumer held it, and it was due.
            for (const { index } of claimed) {
              const row = before.find((each) => each.index === index)
              expect([row?.state, (row?.leaseUntil ?? 0) <= nowMs, (row?.nextAttemptAt ?? 0) <= nowMs]).toEqual([
                'ready',
                true,
                true,
              ])
            }
            claims.push(...claimed)
          }

          async function settleOne(task: Task): Promise<void> {
            const holder = claims.findLast(({ index }) => index === task.index)
            const wasOver = await isDone({ ...id, index: task.index })
            const isSettled = await settle(task)
            if (isSettled) effects.set(task.index, (effects.get(task.index) ?? 0) + 1)
            // A lease that another consumer has by now, or a task that is done, changes nothing.
            if (holder !== task || wasOver) expect(isSettled).toBe(false)
          }

          async function retryOne(task: Task, error: unknown): Promise<void> {
            const before = await rowsOf(id)
            const next = planRetry(task, error, nowMs)
            if (next !== null) await retryTask(env.DB, task, next)
            const holder = claims.findLast(({ index }) => index === task.index)
            if (holder !== task) expect(await rowsOf(id)).toEqual(before)
          }

          for (const each of happenings) {
            const task = 'which' in each ? claims[each.which % Math.max(1, claims.length)] : undefined
            if (each.kind === 'claim') await take(each.limit)
            else if (each.kind === 'claim twice') {
              const [one, two] = await Promise.all([claim(each.limit, nowMs), claim(each.limit, nowMs)])
              expect(one.filter(({ index }) => two.some((other) => other.index === index))).toEqual([])
              claims.push(...one, ...two)
            } else if (each.kind === 'pass') nowMs += each.ms
            else if (task === undefined) continue
            else if (each.kind === 'settle') await settleOne(task)
            else if (each.kind === 'beat') await extendLeases(env.DB, [task], nowMs)
            else await retryOne(task, each.kind === 'busy' ? new AppError('ai_busy', 'Busy.') : new Error('lost'))
            for (const row of await rowsOf(id)) {
              expect(row.attempts).toBeGreaterThanOrEqual(attempts.get(row.index) ?? 0)
              expect(row.leaseUntil).toBeLessThanOrEqual(nowMs + LEASE_MS)
              attempts.set(row.index, row.attempts)
            }
          }

          // Whatever happened: once all that is waited for is over, every task can be claimed and done.
          nowMs += 10 * 60_000
          for (let left = await claim(3, nowMs); left.length > 0; left = await claim(3, nowMs))
            for (const task of left) if (await settle(task)) effects.set(task.index, (effects.get(task.index) ?? 0) + 1)
          expect((await rowsOf(id)).map(({ state }) => state)).toEqual(Array.from({ length: COUNT }, () => 'done'))
          expect([...effects.values()]).toEqual(Array.from({ length: COUNT }, () => 1))
        }),
        SEARCH,
      )
    },
    2 * LIMIT_MS,
  )
})

describe('claimTasks', () => {
  it('takes a task up again at once when its lease is over, and counts that as a failure', {
    tags: 'fault-15',
  }, async () => {
    const id = await plantTasks(1)
    const [first] = await claim(1, 1_000)
    expect(await claim(1, 1_000 + LEASE_MS - 1)).toEqual([])
    const [second] = await claim(1, 1_000 + LEASE_MS)
    expect([first?.attempts, second?.attempts]).toEqual([0, 1])
    expect(LEASE_MS + WATCH_EVERY_MS).toBeLessThanOrEqual(30_000)
    if (first === undefined || second === undefined) throw new Error('nothing claimed')
    expect(await settle(first)).toBe(false)
    expect(await settle(second)).toBe(true)
    expect(await isDone({ ...id, index: 0 })).toBe(true)
  })

  it('lets owners with 60 and with 6 tasks get on side by side', { tags: 'fault-20' }, async () => {
    const many = await plantTasks(60)
    const few = await plantTasks(6)
    const claimed = [...(await claim(6, 1)), ...(await claim(6, 1))]
    const ofFew = claimed.filter(({ moduleId }) => moduleId === few.moduleId)
    expect(ofFew).toHaveLength(6)
    expect(claimed.filter(({ moduleId }) => moduleId === many.moduleId)).toHaveLength(6)
  })

  it('gives an owner with three long videos no more than an owner with a short one', { tags: 'fault-20' }, async () => {
    for (let video = 0; video < 3; video++) await plantTasks(60, { userId: 'user_of_three' })
    const one = await plantTasks(6, { userId: 'user_of_one' })
    const claimed = [...(await claim(6, 1)), ...(await claim(6, 1))]
    expect(claimed.filter(({ moduleId }) => moduleId === one.moduleId)).toHaveLength(6)
  })

  it('keeps a module with many in progress behind one that has just come in', async () => {
    const many = await plantTasks(60)
    for (let group = 0; group < 5; group++) await claim(6, 1)
    const fresh = await plantTasks(3)
    const claimed = await claim(3, 1)
    expect(claimed.map(({ moduleId }) => moduleId)).toEqual([fresh, fresh, fresh].map(({ moduleId }) => moduleId))
    expect(many.moduleId).not.toBe(fresh.moduleId)
  })

  it('takes as many bytes as there is room for, in order, and one that is too large only when idle', async () => {
    const id = await plantOpenRun()
    for (const [index, sizeBytes] of [100, 100, 900].entries()) await addTask({ ...id, index, sizeBytes })
    expect((await claim(6, 1, { bytes: 250, isIdle: false })).map(({ index }) => index)).toEqual([0, 1])
    expect(await claim(6, 1, { bytes: 250, isIdle: false })).toEqual([])
    expect((await claim(6, 1, { bytes: 250, isIdle: true })).map(({ index }) => index)).toEqual([2])
  })

  it.each([
    ['is not its owner’s turn', 'UPDATE runs SET admitted_at = NULL WHERE module_id = ?'],
    ['has ended', 'UPDATE runs SET ended_at = 1 WHERE module_id = ?'],
    ['was fenced by a newer one', 'UPDATE modules SET run = 2 WHERE id = ?'],
    ['is of a module that was deleted', 'DELETE FROM modules WHERE id = ?'],
    ['is of a module that is READY', "UPDATE modules SET status = 'READY', run_status = 'READY' WHERE id = ?"],
  ])(
    'leaves the tasks of a run alone that %s, and a late settle or heartbeat changes nothing',
    { tags: 'fault-19' },
    async (_what, sql) => {
      const id = await plantTasks(2)
      const [task] = await claim(1, 1)
      if (task === undefined) throw new Error('nothing claimed')
      const change = () => env.DB.prepare(sql).bind(id.moduleId).run()
      await change()
      expect(await claim(6, 1 + LEASE_MS)).toEqual([])
      // A run without its turn, or that has ended, is not its module's current one in progress.
      if (!sql.startsWith('UPDATE runs')) {
        expect(await extendLeases(env.DB, [task], 2)).toEqual([])
        expect(await settle(task)).toBe(false)
      }
      expect(await findNextDueMs(env.DB, 'transcribe')).toBeNull()
    },
  )

  it('reads no more for the last tasks of a long video than for those of a short one', async () => {
    const plant = async (count: number, done: number) => {
      const id = await plantOpenRun()
      const rows = JSON.stringify(Array.from({ length: count }, (_, index) => index))
      await env.DB.prepare(
        `INSERT INTO tasks (module_id, run, kind, idx, state, next_attempt_at)
         SELECT ?1, 1, 'transcribe', value, iif(value < ?3, 'done', 'ready'), 0 FROM json_each(?2)`,
      )
        .bind(id.moduleId, rows, done)
        .run()
    }
    let rowsRead = 0
    const all = async (sql: string, values: unknown[]) => {
      const result = await env.DB.prepare(sql)
        .bind(...values)
        .all()
      rowsRead = result.meta.rows_read
      return result
    }
    const counted = {
      prepare: (sql: string) => ({ bind: (...values: unknown[]) => ({ all: () => all(sql, values) }) }),
    } as unknown as D1Database
    const measure = async () => {
      const claimed = await claimTasks(counted, 'transcribe', { limit: 6, bytes: 1, isIdle: true, nowMs: 1 })
      await clearTasks()
      return { first: claimed[0]?.index, rowsRead }
    }
    await plant(100, 0)
    const short = await measure()
    await plant(1_500, 1_400)
    const long = await measure()
    expect([short.first, long.first]).toEqual([0, 1_400])
    expect(long.rowsRead).toBeLessThanOrEqual(1.1 * short.rowsRead)
  })
})

describe('a task that waits for a busy model', () => {
  const wait = async ({ moduleId, run }: RunId) => {
    await addTask({ moduleId, run, index: 0, nextAttemptAt: 100 })
    await env.DB.prepare('UPDATE tasks SET busy_since = 1 WHERE module_id = ? AND run = ?').bind(moduleId, run).run()
  }
  const isAnyBusy = async () => {
    await plantTasks(1)
    return (await claim(1, 10))[0]?.isAnyBusy
  }

  it('counts while its run goes on, and no longer once its module is deleted', async () => {
    const id = await plantOpenRun()
    await wait(id)
    expect(await isAnyBusy()).toBe(true)
    await plantDeletion(id.moduleId, 5)
    expect(await isAnyBusy()).toBe(false)
  })

  it('is forgotten with its run when another one takes its place', async () => {
    const id = await plantOpenRun()
    await wait(id)
    const begun = {
      moduleId: id.moduleId,
      trigger: 'reprocess',
      request: 'start',
      message: 'Waiting for its turn',
      progress: 0,
    } as const
    await insertRun(openDb(env.DB), { ...begun, previousRun: 1, nowMs: 5 })
    expect(await isAnyBusy()).toBe(false)
    const waiting = env.DB.prepare('SELECT count(*) AS n FROM tasks WHERE busy_since IS NOT NULL')
    expect(await waiting.first('n')).toBe(0)
  })
})

describe('planRetry', () => {
  it('never counts a busy model, and gives up neither it nor a failing task before its bound', {
    tags: 'fault-16',
  }, () => {
    const busy = new AppError('ai_busy', 'Busy.')
    fc.assert(
      fc.property(fc.nat(MAX_ATTEMPTS - 2), fc.option(fc.nat(BUSY_MAX_MS - 1)), (attempts, busyForMs) => {
        const nowMs = 10 * BUSY_MAX_MS
        const busySince = busyForMs === null ? null : nowMs - busyForMs
        const waits = planRetry({ attempts, busySince, admittedAt: 1 }, busy, nowMs)
        expect(waits).toMatchObject({ attempts, busySince: busySince ?? nowMs })
        expect(waits?.nextAttemptAt).toBeGreaterThan(nowMs)
        const fails = planRetry({ attempts, busySince, admittedAt: 1 }, new Error('lost'), nowMs)
        expect(fails).toMatchObject({ attempts: attempts + 1, busySince: null })
        expect(fails?.nextAttemptAt).toBeGreaterThan(nowMs)
      }),
    )
    expect(planRetry({ attempts: 0, busySince: 1, admittedAt: 1 }, busy, 1 + BUSY_MAX_MS)).toBeNull()
    expect(planRetry({ attempts: MAX_ATTEMPTS - 1, busySince: null, admittedAt: 1 }, new Error('lost'), 1)).toBeNull()
    expect(planRetry({ attempts: 0, busySince: null, admittedAt: 1 }, new AppError('ai_quota', 'Over.'), 1)).toBeNull()
  })
})
