import { env } from 'cloudflare:workers'
import { sql } from 'drizzle-orm'
import { beforeEach, describe, expect, it } from 'vitest'
import { openDb } from '#worker/db/db.ts'
import { clearTasks } from '#worker/pipeline/testing/seed-tasks.ts'
import { findBusyUntilMs, forgetBusy, wakeBusyTasks } from './busy-tasks.ts'
import { listTaskRows, seedRows, subjectsOf } from './testing/seed-subjects.ts'

const SUBJECT = subjectsOf({ A: 'ann', B: 'ben', gone: 'ben' }, ['A', 'B'])
const OF_A = { subjectKind: 'module', subjectId: 'A' } as const

beforeEach(clearTasks)

const waiting = (subjectId: string, index: number, busySince: number) => {
  return { subjectId, index, busySince, nextAttemptAt: 500 }
}
const listWoken = async () => (await listTaskRows()).filter((row) => row.nextAttemptAt === 100).map(({ name }) => name)

describe('wakeBusyTasks', () => {
  const wake = () => wakeBusyTasks(env.DB, { kind: 'transcribe', subject: SUBJECT, nowMs: 100 })

  it('ends the pauses of the six tasks that have waited longest, and of no more', async () => {
    await seedRows(...Array.from({ length: 10 }, (_, index) => waiting('A', index, 90 - index)))
    await wake()
    expect(await listWoken()).toEqual(['A 4', 'A 5', 'A 6', 'A 7', 'A 8', 'A 9'])
    await wake()
    expect(await listWoken()).toHaveLength(10)
  })

  it('leaves other kinds alone, tasks that wait for no model, and subjects that are not open', async () => {
    await seedRows(
      { ...waiting('A', 0, 1), kind: 'write_steps' },
      { subjectId: 'A', index: 1, nextAttemptAt: 500 },
      waiting('gone', 0, 1),
      waiting('B', 0, 2),
    )
    await wake()
    expect(await listWoken()).toEqual(['B 0'])
  })
})

describe('findBusyUntilMs', () => {
  const find = () => findBusyUntilMs(env.DB, { ...OF_A, kinds: ['transcribe'], nowMs: 100 })

  it('is when the model is asked next where all that is left waits for it', async () => {
    expect(await find()).toBeNull()
    await seedRows(waiting('A', 0, 1), { ...waiting('A', 1, 1), nextAttemptAt: 400 }, waiting('B', 0, 1))
    expect(await find()).toBe(400)
    await seedRows({ subjectId: 'A', index: 2, nextAttemptAt: 300 })
    expect(await find()).toBeNull()
  })

  it('is not known while one of them is in progress', async () => {
    await seedRows(waiting('A', 0, 1), { ...waiting('A', 1, 1), leaseUntil: 101 })
    expect(await find()).toBeNull()
    await env.DB.exec('UPDATE task_queue SET lease_until = 100 WHERE lease_until > 0')
    expect(await find()).toBe(500)
  })
})

describe('forgetBusy', () => {
  it('has the tasks of one subject wait for no model any more, where it is over', async () => {
    await seedRows(waiting('A', 0, 1), waiting('B', 0, 1))
    const db = openDb(env.DB)
    await forgetBusy(db, OF_A, sql`false`)
    expect((await listTaskRows()).map(({ busySince }) => busySince)).toEqual([1, 1])
    await forgetBusy(db, OF_A, sql`true`)
    expect((await listTaskRows()).map(({ busySince }) => busySince)).toEqual([null, 1])
  })
})
