import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { seedDeletion } from '#local/testing/modules.ts'
import { openDb } from '#worker/db/db.ts'
import { addTask, holdTasks, seedOpenRun, settle } from '#worker/pipeline/testing/seed-tasks.ts'
import { claimTasks, findNextDueMs } from '#worker/tasks/claim-tasks.ts'
import { extendLeases, LEASE_MS } from '#worker/tasks/task-store.ts'
import type { RunId } from './fence.ts'
import { insertRun } from './run-store.ts'
import { RUN_SUBJECT, subjectOf, toRunTask } from './run-subject.ts'

holdTasks()

function claim(limit: number, nowMs: number) {
  const limits = { limit, nowMs, bytes: Number.MAX_SAFE_INTEGER, isIdle: true }
  return claimTasks(env.DB, { kind: 'transcribe', subject: RUN_SUBJECT, ...limits })
}

async function seedTasks(count: number): Promise<RunId> {
  const id = await seedOpenRun()
  for (let index = 0; index < count; index++) await addTask({ ...id, index })
  return id
}

describe('the tasks of a run', () => {
  it('name their run, and when and by which request it came to its turn', async () => {
    const id = await seedTasks(1)
    await env.DB.prepare("UPDATE runs SET admitted_at = 7, request_id = 'r' WHERE module_id = ?")
      .bind(id.moduleId)
      .run()
    const [task] = await claim(1, 10)
    expect(task).toMatchObject({ ...subjectOf(id), openSince: 7, requestId: 'r' })
    if (task !== undefined) expect(toRunTask(task)).toMatchObject(id)
  })

  it.each([
    ['is not its owner’s turn', 'UPDATE runs SET admitted_at = NULL WHERE module_id = ?'],
    ['has ended', 'UPDATE runs SET ended_at = 1 WHERE module_id = ?'],
    ['was fenced by a newer one', 'UPDATE modules SET run = 2 WHERE id = ?'],
    ['is of a module that was deleted', 'DELETE FROM modules WHERE id = ?'],
    ['is of a module that is READY', "UPDATE modules SET status = 'READY', run_status = 'READY' WHERE id = ?"],
  ])(
    'are left alone where it %s, and a late settle or heartbeat changes nothing',
    { tags: 'fault-19' },
    async (_what, sql) => {
      const id = await seedTasks(2)
      const [task] = await claim(1, 1)
      if (task === undefined) throw new Error('nothing claimed')
      const change = () => env.DB.prepare(sql).bind(id.moduleId).run()
      await change()
      expect(await claim(6, 1 + LEASE_MS)).toEqual([])
      // A run without its turn, or that has ended, is not its module's current one in progress.
      if (!sql.startsWith('UPDATE runs')) {
        expect(await extendLeases(env.DB, { claimed: [task], subject: RUN_SUBJECT, nowMs: 2 })).toEqual(new Set())
        expect(await settle(task)).toBe(false)
      }
      expect(await findNextDueMs(env.DB, { kind: 'transcribe', subject: RUN_SUBJECT })).toBeNull()
    },
  )
})

describe('a task that waits for a busy model', () => {
  const wait = async ({ moduleId, run }: RunId) => {
    await addTask({ moduleId, run, index: 0, nextAttemptAt: 100 })
    await env.DB.prepare('UPDATE task_queue SET busy_since = 1 WHERE subject_id = ?')
      .bind(subjectOf({ moduleId, run }).subjectId)
      .run()
  }
  const isAnyBusy = async () => {
    await seedTasks(1)
    return (await claim(1, 10))[0]?.isAnyBusy
  }

  it('counts while its run goes on, and no longer once its module is deleted', async () => {
    const id = await seedOpenRun()
    await wait(id)
    expect(await isAnyBusy()).toBe(true)
    await seedDeletion(id.moduleId, 5)
    expect(await isAnyBusy()).toBe(false)
  })

  it('is forgotten with its run when another one takes its place', async () => {
    const id = await seedOpenRun()
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
    const waiting = env.DB.prepare('SELECT count(*) AS n FROM task_queue WHERE busy_since IS NOT NULL')
    expect(await waiting.first('n')).toBe(0)
  })
})
