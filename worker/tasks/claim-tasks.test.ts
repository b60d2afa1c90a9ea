import { env } from 'cloudflare:workers'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { AppError } from '#worker/core/errors.ts'
import { openDb } from '#worker/db/db.ts'
import type { RunId } from '#worker/domain/run/fence.ts'
import { RUN_SUBJECT, subjectOf } from '#worker/domain/run/run-subject.ts'
import { WATCH_EVERY_MS } from '#worker/pipeline/recover.ts'
import {
  addTask as addRunTask,
  clearTasks,
  holdTasks,
  isDone,
  seedOpenRun,
  settle,
} from '#worker/pipeline/testing/seed-tasks.ts'
import { claimTasks, findNextDueMs } from './claim-tasks.ts'
import { planRetry } from './retry.ts'
import type { Task } from './task.ts'
import { addTask, extendLeases, LEASE_MS, retryTask } from './task-store.ts'
import { listTaskRows, seedRows, subjectsOf } from './testing/seed-subjects.ts'

holdTasks()

const RUNS = Number(env.FAULT_RUNS || 30)
const LIMIT_MS = 60_000 * Math.max(1, RUNS / 30)
const SEARCH = { numRuns: RUNS, interruptAfterTimeLimit: LIMIT_MS }

function claim(limit: number, nowMs: number, room: { bytes?: number; isIdle?: boolean } = {}): Promise<Task[]> {
  const limits = { limit, nowMs, bytes: Number.MAX_SAFE_INTEGER, isIdle: true, ...room }
  return claimTasks(env.DB, { kind: 'transcribe', subject: RUN_SUBJECT, ...limits })
}

async function rowsOf(id: RunId) {
  const { results } = await env.DB.prepare(
    `SELECT idx AS "index", state, attempts, lease_until AS leaseUntil, next_attempt_at AS nextAttemptAt
     FROM task_queue WHERE subject_id = ? ORDER BY idx`,
  )
    .bind(subjectOf(id).subjectId)
    .all<{ index: number; state: string; attempts: number; leaseUntil: number; nextAttemptAt: number }>()
  return results
}

const isOf = (id: RunId) => (task: Task) => task.subjectId === subjectOf(id).subjectId

async function seedTasks(count: number, fields: Parameters<typeof seedOpenRun>[0] = {}): Promise<RunId> {
  const id = await seedOpenRun(fields)
  for (let index = 0; index < count; index++) await addRunTask({ ...id, index })
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
          const id = await seedTasks(COUNT)
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
            else if (each.kind === 'beat') await extendLeases(env.DB, { claimed: [task], subject: RUN_SUBJECT, nowMs })
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
  it('does what its example shows', async () => {
    const subject = subjectsOf({ A: 'Ann', B: 'Ann', C: 'Ben', D: 'Dan' }, ['A', 'B', 'C'])
    await clearTasks()
    await seedRows(
      { subjectId: 'A', index: 0, leaseUntil: 105 },
      { subjectId: 'A', index: 1 },
      { subjectId: 'A', index: 2, nextAttemptAt: 500 },
      { subjectId: 'B', index: 0, leaseUntil: 95 },
      { subjectId: 'C', index: 0 },
      { subjectId: 'C', index: 1 },
      { subjectId: 'D', index: 0 },
    )
    const limits = { limit: 3, bytes: Number.MAX_SAFE_INTEGER, isIdle: false, nowMs: 100 }
    await claimTasks(env.DB, { kind: 'transcribe', subject, ...limits })
    const rows = await listTaskRows()
    expect(rows.map(({ name, leaseUntil, attempts }) => [name, leaseUntil, attempts])).toEqual([
      ['A 0', 105, 0],
      ['A 1', 0, 0],
      ['A 2', 0, 0],
      ['B 0', 10_100, 1],
      ['C 0', 10_100, 0],
      ['C 1', 10_100, 0],
      ['D 0', 0, 0],
    ])
  })

  it('counts what an owner has in progress, also where that comes after what is free', async () => {
    const subject = subjectsOf({ A: 'Ann', B: 'Ben' })
    await clearTasks()
    // Ann's first task has failed and is due again; the five after it are in progress.
    await seedRows({ subjectId: 'A', index: 0 }, { subjectId: 'B', index: 3 })
    await seedRows(...[1, 2, 3, 4, 5].map((index) => ({ subjectId: 'A', index, leaseUntil: 200 })))
    const limits = { limit: 1, bytes: Number.MAX_SAFE_INTEGER, isIdle: false, nowMs: 100 }
    const [task] = await claimTasks(env.DB, { kind: 'transcribe', subject, ...limits })
    expect(task?.subjectId).toBe('B')
  })

  it('gives what its subject says, and the payload that the task was added with', async () => {
    await clearTasks()
    const key = { subjectKind: 'module', subjectId: 'A', kind: 'transcribe', index: 0 } as const
    await addTask(openDb(env.DB), { ...key, payload: { to: ['a', 'b'] }, dueMs: 50, sizeBytes: 7 })
    const limits = { limit: 1, bytes: Number.MAX_SAFE_INTEGER, isIdle: true, nowMs: 100 }
    const subject = { ...subjectsOf({ A: 'Ann' }), openSince: () => '42' }
    const claimed = await claimTasks(env.DB, { kind: 'transcribe', subject, ...limits })
    const { leaseId, ...task } = claimed[0] ?? {}
    expect(task).toEqual({
      ...key,
      payload: { to: ['a', 'b'] },
      attempts: 0,
      busySince: null,
      sizeBytes: 7,
      openSince: 42,
      isAnyBusy: false,
      requestId: 'request',
    })
    expect(leaseId).toMatch(/^[0-9a-f-]{36}$/)
  })

  it('takes a task up again at once when its lease is over, and counts that as a failure', {
    tags: 'fault-15',
  }, async () => {
    const id = await seedTasks(1)
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
    const many = await seedTasks(60)
    const few = await seedTasks(6)
    const claimed = [...(await claim(6, 1)), ...(await claim(6, 1))]
    const ofFew = claimed.filter(isOf(few))
    expect(ofFew).toHaveLength(6)
    expect(claimed.filter(isOf(many))).toHaveLength(6)
  })

  it('gives an owner with three long videos no more than an owner with a short one', { tags: 'fault-20' }, async () => {
    for (let video = 0; video < 3; video++) await seedTasks(60, { userId: 'user_of_three' })
    const one = await seedTasks(6, { userId: 'user_of_one' })
    const claimed = [...(await claim(6, 1)), ...(await claim(6, 1))]
    expect(claimed.filter(isOf(one))).toHaveLength(6)
  })

  it('keeps a module with many in progress behind one that has just come in', async () => {
    const many = await seedTasks(60)
    for (let group = 0; group < 5; group++) await claim(6, 1)
    const fresh = await seedTasks(3)
    const claimed = await claim(3, 1)
    expect(claimed.filter(isOf(fresh))).toHaveLength(3)
    expect(many.moduleId).not.toBe(fresh.moduleId)
  })

  it('takes as many bytes as there is room for, in order, and one that is too large only when idle', async () => {
    const id = await seedOpenRun()
    for (const [index, sizeBytes] of [100, 100, 900].entries()) await addRunTask({ ...id, index, sizeBytes })
    // Exactly as many as fit.
    expect((await claim(6, 1, { bytes: 200, isIdle: false })).map(({ index }) => index)).toEqual([0, 1])
    expect(await claim(6, 1, { bytes: 250, isIdle: false })).toEqual([])
    expect((await claim(6, 1, { bytes: 250, isIdle: true })).map(({ index }) => index)).toEqual([2])
  })

  it('hands out what it took by index, however the rows lie in the table', async () => {
    await seedRows(...[4, 2, 0, 3, 1].map((index) => ({ subjectId: 'A', index })))
    const limits = { limit: 4, bytes: Number.MAX_SAFE_INTEGER, isIdle: true, nowMs: 100 }
    const claimed = await claimTasks(env.DB, { kind: 'transcribe', subject: subjectsOf({ A: 'ann' }), ...limits })
    expect(claimed.map(({ index }) => index)).toEqual([0, 1, 2, 3])
  })

  it('reads no more for the last tasks of a long video than for those of a short one', async () => {
    const plant = async (count: number, done: number) => {
      const id = await seedOpenRun()
      const rows = JSON.stringify(Array.from({ length: count }, (_, index) => index))
      await env.DB.prepare(
        `INSERT INTO task_queue (subject_kind, subject_id, kind, idx, state, next_attempt_at)
         SELECT 'run', ?1, 'transcribe', value, iif(value < ?3, 'done', 'ready'), 0 FROM json_each(?2)`,
      )
        .bind(subjectOf(id).subjectId, rows, done)
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
      const claimed = await claimTasks(counted, {
        kind: 'transcribe',
        subject: RUN_SUBJECT,
        limit: 6,
        bytes: 1,
        isIdle: true,
        nowMs: 1,
      })
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

describe('findNextDueMs', () => {
  it('is when the first of those is due that are free, of subjects that are open', async () => {
    const find = () => findNextDueMs(env.DB, { kind: 'transcribe', subject: subjectsOf({ A: 'ann', B: 'ben' }, ['A']) })
    expect(await find()).toBeNull()
    await seedRows(
      { subjectId: 'A', index: 0, nextAttemptAt: 100, leaseUntil: 900 },
      { subjectId: 'A', index: 1, nextAttemptAt: 300 },
      { subjectId: 'A', index: 2, nextAttemptAt: 400 },
      { subjectId: 'B', index: 0, nextAttemptAt: 200 },
      { subjectId: 'A', index: 0, kind: 'translate', nextAttemptAt: 50 },
    )
    expect(await find()).toBe(300)
  })
})
