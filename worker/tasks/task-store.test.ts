import { env } from 'cloudflare:workers'
import { sql } from 'drizzle-orm'
import { beforeEach, describe, expect, it } from 'vitest'
import { openDb } from '#worker/db/db.ts'
import { PAYLOAD_MAX_BYTES } from '#worker/db/task-tables.ts'
import { clearTasks } from '#worker/pipeline/testing/seed-tasks.ts'
import { claimTasks } from './claim-tasks.ts'
import type { Task } from './task.ts'
import {
  addTask,
  bindOwn,
  extendLeases,
  HOLDS_LEASE,
  insertTasks,
  LEASE_MS,
  listReadyTasks,
  removeTasks,
  settleRepeated,
  settleTask,
} from './task-store.ts'
import { listTaskRows, seedRows, subjectsOf } from './testing/seed-subjects.ts'

const DB = openDb(env.DB)
const KEY = { subjectKind: 'module', subjectId: 'A', kind: 'translate', index: 0 } as const
const SUBJECT = subjectsOf({ A: 'ann', B: 'ben' })

beforeEach(clearTasks)

async function claim(nowMs: number, limit = 1): Promise<Task[]> {
  const limits = { limit, bytes: Number.MAX_SAFE_INTEGER, isIdle: true, nowMs }
  return claimTasks(env.DB, { kind: 'translate', subject: SUBJECT, ...limits })
}

async function claimOne(nowMs: number): Promise<Task> {
  const [task] = await claim(nowMs)
  if (task === undefined) throw new Error('nothing claimed')
  return task
}

describe('addTask', () => {
  it('adds a task once, where the row is there that it depends on', async () => {
    await addTask(DB, { ...KEY, dueMs: 5 }, sql`FROM modules WHERE id = 'missing'`)
    expect(await listTaskRows()).toEqual([])
    await addTask(DB, { ...KEY, dueMs: 5 })
    await addTask(DB, { ...KEY, dueMs: 9 })
    expect(await listTaskRows()).toMatchObject([{ name: 'A 0', state: 'ready', nextAttemptAt: 5, attempts: 0 }])
    expect((await claimOne(5)).sizeBytes).toBe(0)
  })

  it('takes a payload of 2 kB, and refuses a larger one before it is written', async () => {
    // The letters have two bytes each, the JSON around them eleven.
    const text = `x${'é'.repeat(1_018)}`
    expect(new TextEncoder().encode(JSON.stringify({ text }))).toHaveLength(PAYLOAD_MAX_BYTES)
    await addTask(DB, { ...KEY, payload: { text }, dueMs: 0 })
    expect((await claimOne(1)).payload).toEqual({ text })
    const tooLarge = () => addTask(DB, { ...KEY, index: 1, payload: { text: `${text}x` }, dueMs: 0 })
    expect(tooLarge).toThrow('The payload of a task of kind translate has 2049 bytes; 2048 are allowed.')
  })

  it('has the table refuse a larger payload, however it is added', async () => {
    const insert = env.DB.prepare(
      `INSERT INTO task_queue (subject_kind, subject_id, kind, idx, next_attempt_at, payload)
       VALUES ('module', 'A', 'translate', 0, 0, ?)`,
    )
    await expect(insert.bind('é'.repeat(1_025)).run()).rejects.toThrow('CHECK constraint failed')
    await insert.bind('é'.repeat(1_024)).run()
  })
})

describe('a task that may be added again while it is in progress', () => {
  const add = (dueMs: number, isRepeated: boolean | undefined = true) =>
    env.DB.prepare(
      insertTasks({
        subjectKind: 'module',
        kind: 'translate',
        subjectId: "'A'",
        index: '0',
        dueMs: '?1',
        from: 'json_each(?2)',
        where: 'true',
        ...(isRepeated ? { isRepeated } : {}),
      }),
    )
      .bind(dueMs, '[1]')
      .run()

  it('stays as it is where its kind is not repeated', async () => {
    await add(1, false)
    await add(15, false)
    expect(await listTaskRows()).toMatchObject([{ nextAttemptAt: 1 }])
  })

  it.each([1, 10])('is gone once it is settled that was due at %d and claimed at 10', async (dueMs) => {
    await add(dueMs)
    await env.DB.batch(settleRepeated(env.DB, await claimOne(10), 10))
    expect(await listTaskRows()).toEqual([])
  })

  it('is due again when more was added to it meanwhile', async () => {
    await add(1)
    const task = await claimOne(10)
    await add(15)
    await env.DB.batch(settleRepeated(env.DB, task, 10))
    expect(await listTaskRows()).toMatchObject([{ name: 'A 0', state: 'ready', leaseUntil: 0, nextAttemptAt: 15 }])
    await env.DB.batch(settleRepeated(env.DB, await claimOne(20), 20))
    expect(await listTaskRows()).toEqual([])
  })

  it('stays where the lease was lost', async () => {
    await add(1)
    const task = await claimOne(10)
    await claimOne(10 + LEASE_MS)
    await env.DB.batch(settleRepeated(env.DB, task, 10))
    expect(await listTaskRows()).toMatchObject([{ name: 'A 0', state: 'ready', leaseUntil: 10 + 2 * LEASE_MS }])
  })
})

describe('extendLeases', () => {
  it('leaves what was lost to another consumer', async () => {
    await seedRows({ subjectId: 'A', index: 0, kind: 'translate' })
    const lost = await claim(10)
    await claimOne(10 + LEASE_MS)
    expect(await extendLeases(env.DB, { claimed: lost, subject: SUBJECT, nowMs: 90_000 })).toEqual(new Set())
    expect(await listTaskRows()).toMatchObject([{ leaseUntil: 10 + 2 * LEASE_MS }])
  })

  it('leaves what another consumer holds of the same subject', async () => {
    await seedRows(...[0, 1].map((index) => ({ subjectId: 'A', index, kind: 'translate' as const })))
    const claimed = await claim(10)
    await claimOne(20)
    await extendLeases(env.DB, { claimed, subject: SUBJECT, nowMs: 500 })
    expect((await listTaskRows()).map(({ leaseUntil }) => leaseUntil)).toEqual([500 + LEASE_MS, 20 + LEASE_MS])
  })

  it('extends what is still held, of subjects that are open', async () => {
    await seedRows(...['A', 'B', 'B'].map((subjectId, index) => ({ subjectId, index, kind: 'translate' as const })))
    const claimed = await claim(10, 3)
    const [, done] = claimed
    if (done === undefined) throw new Error('nothing claimed')
    await settleTask(DB, done)
    const subject = { ...SUBJECT, isOpen: (id: string) => `${id} = 'B'` }
    expect(await extendLeases(env.DB, { claimed, subject, nowMs: 500 })).toEqual(new Set(['B']))
    const leases = (await listTaskRows()).map(({ name, leaseUntil }) => [name, leaseUntil])
    expect(leases).toEqual([
      ['A 0', 10 + LEASE_MS],
      ['B 1', 0],
      ['B 2', 500 + LEASE_MS],
    ])
  })
})

describe('bindOwn', () => {
  const isHeld = async (task: Task) =>
    (await bindOwn(env.DB, task, `SELECT ${HOLDS_LEASE} AS isHeld`).first<{ isHeld: number }>())?.isHeld === 1

  it('writes only while the task is held and not done', async () => {
    await seedRows(...[0, 1].map((index) => ({ subjectId: 'A', index, kind: 'translate' as const })))
    const task = await claimOne(10)
    expect(await isHeld(task)).toBe(true)
    await claim(10 + LEASE_MS, 2)
    expect(await isHeld(task)).toBe(false)
    const [own] = await claim(10 + 2 * LEASE_MS, 2)
    if (own === undefined) throw new Error('nothing claimed')
    await settleTask(DB, own)
    expect(await isHeld(own)).toBe(false)
  })
})

it('lists and removes the tasks of one subject', async () => {
  await seedRows(...['A', 'A', 'B'].map((subjectId, index) => ({ subjectId, index, kind: 'translate' as const })))
  expect(await listReadyTasks(env.DB, KEY, 'translate')).toEqual([0, 1])
  expect(await listReadyTasks(env.DB, KEY, 'ingest')).toEqual([])
  await removeTasks(DB, KEY)
  expect((await listTaskRows()).map(({ name }) => name)).toEqual(['B 2'])
})
