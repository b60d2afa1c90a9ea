import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { seedModule } from '#local/testing/modules.ts'
import { listTranslating } from '#worker/domain/module/translate-tasks.ts'
import { openDriver, seedRun } from '#worker/pipeline/testing/drive.ts'
import { moduleOf } from '#worker/pipeline/testing/outcome.ts'
import { holdTasks } from '#worker/pipeline/testing/seed-tasks.ts'
import { carryTasksOver } from './carry-tasks.ts'
import { subjectOf } from './run-subject.ts'

holdTasks()

const MINUTE = 60_000

/** What the migration does with rows; its tables are there already. */
async function migrateRows(): Promise<void> {
  const migration = env.TEST_MIGRATIONS.find(({ name }) => name.endsWith('_task-queue.sql'))
  const statements = migration?.queries.filter((sql) => !sql.includes('CREATE ')) ?? []
  expect(statements).toHaveLength(2)
  await env.DB.batch(statements.map((sql) => env.DB.prepare(sql)))
}

/** Puts all tasks back into the table of the version before, as that wrote them. */
async function returnToFormer(): Promise<void> {
  const columns = 'kind, idx, state, lease_until, lease_id, attempts, next_attempt_at, busy_since, size_bytes'
  await env.DB.batch([
    env.DB.prepare('DELETE FROM tasks'),
    env.DB.prepare(
      `INSERT INTO tasks (module_id, run, ${columns})
       SELECT iif(subject_kind = 'run', substr(subject_id, 1, instr(subject_id, '/') - 1), subject_id),
         iif(subject_kind = 'run', CAST(substr(subject_id, instr(subject_id, '/') + 1) AS INTEGER), 0), ${columns}
       FROM task_queue`,
    ),
    env.DB.prepare('DELETE FROM task_queue'),
  ])
}

/** A run of two minutes in the middle of its work: one chunk is transcribed, one failed twice, one is in progress. */
async function seedHalfDone() {
  const driver = openDriver()
  const id = await seedRun(2 * MINUTE)
  await driver.deliver([{ kind: 'ingest', ...id }])
  const [first, ...rest] = await driver.listReady('transcribe')
  if (first === undefined || rest.length < 2) throw new Error('too few chunks')
  await driver.deliver([first])
  const change = (set: string, index: number | undefined) =>
    env.DB.prepare(`UPDATE task_queue SET ${set} WHERE subject_id = ? AND kind = 'transcribe' AND idx = ?`)
      .bind(subjectOf(id).subjectId, index)
      .run()
  await change('attempts = 2', rest[0]?.index)
  await change(`lease_id = 'theirs', lease_until = ${Date.now() + MINUTE}`, rest[1]?.index)
  return { driver, id, failed: rest[0]?.index, claimed: rest[1]?.index }
}

async function rowOf(id: { moduleId: string; run: number }, index: number | undefined) {
  const query = `SELECT attempts, lease_id AS leaseId, lease_until AS leaseUntil FROM task_queue
    WHERE subject_id = ? AND kind = 'transcribe' AND idx = ?`
  return env.DB.prepare(query).bind(subjectOf(id).subjectId, index).first()
}

describe('tasks that the version before has written', () => {
  it.each([
    ['the migration', migrateRows],
    ['a sweep', async (queues: Parameters<typeof carryTasksOver>[0]) => void (await carryTasksOver(queues))],
  ] as const)('are carried over by %s, and done', async (_by, carry) => {
    const { driver, id, failed, claimed } = await seedHalfDone()
    await returnToFormer()
    expect(await driver.listReady()).toEqual([])
    await carry(driver.deps)
    expect(await env.DB.prepare('SELECT count(*) AS n FROM tasks').first('n')).toBe(0)
    expect(await rowOf(id, failed)).toEqual({ attempts: 2, leaseId: null, leaseUntil: 0 })
    // The version before can settle it no more, so it is free at once, and has not failed.
    expect(await rowOf(id, claimed)).toEqual({ attempts: 0, leaseId: 'theirs', leaseUntil: 0 })
    await driver.drain()
    const module = await moduleOf(driver, id)
    expect(module).toMatchObject({ status: 'READY' })
    const { speech } = driver.deps.services
    const run = await env.DB.prepare(
      'SELECT transcribed_count AS done, chunk_count AS count FROM runs WHERE module_id = ?',
    )
      .bind(id.moduleId)
      .first<{ done: number; count: number }>()
    expect(run?.done).toBe(run?.count)
    expect((speech as unknown as { calls: unknown[] }).calls).toHaveLength(run?.count ?? 0)
  })

  it('are rung for by the sweep, by kind, translations among them', async () => {
    const { id } = await seedModule({ status: 'READY', runStatus: 'READY', run: 1 })
    await env.DB.prepare('INSERT INTO tasks (module_id, run, kind, idx, next_attempt_at) VALUES (?, 0, ?, 1, 0)')
      .bind(id, 'translate')
      .run()
    const driver = openDriver()
    expect(await carryTasksOver(driver.deps)).toBe(1)
    expect(driver.rung).toEqual([{ kind: 'translate' }])
    expect(await listTranslating(env.DB, id)).toEqual(['es'])
    expect(await carryTasksOver(driver.deps)).toBe(0)
    expect(driver.rung).toHaveLength(1)
  })

  it('leave tasks as they are that are there already', async () => {
    const { driver, id, failed } = await seedHalfDone()
    await env.DB.prepare(
      "INSERT INTO tasks (module_id, run, kind, idx, next_attempt_at) VALUES (?, 1, 'transcribe', ?, 0)",
    )
      .bind(id.moduleId, failed)
      .run()
    expect(await carryTasksOver(driver.deps)).toBe(0)
    expect(await rowOf(id, failed)).toMatchObject({ attempts: 2 })
  })
})
