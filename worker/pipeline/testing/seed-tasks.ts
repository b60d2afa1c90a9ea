import { env } from 'cloudflare:workers'
import { afterEach, beforeEach, vi } from 'vitest'
import { seedModule } from '#local/testing/modules.ts'
import { openDb } from '#worker/db/db.ts'
import type { TaskKind } from '#worker/db/task-tables.ts'
import type { RunId } from '#worker/domain/run/fence.ts'
import { subjectOf, toRunTask } from '#worker/domain/run/run-subject.ts'
import { settleRunTask } from '#worker/domain/run/run-task-store.ts'
import type { Task } from '#worker/tasks/task.ts'

/**
 * Leaves it to the tests of a file what is done when: doorbells that the worker's own routes ring wake no consumer, and
 * what a test leaves open is none of the next one's business.
 */
export function holdTasks(): void {
  let restore = () => {}
  beforeEach(() => {
    const queues = Object.getPrototypeOf(env.INGEST_QUEUE) as Queue
    const send = Reflect.get(queues, 'send') as (this: Queue, ...args: unknown[]) => Promise<QueueSendResponse>
    const sending = vi.spyOn(queues, 'send').mockImplementation(function (this: Queue, body, options) {
      return isDoorbell(body) ? Promise.resolve({} as QueueSendResponse) : send.call(this, body, options)
    })
    restore = () => sending.mockRestore()
  })
  afterEach(async () => {
    restore()
    await clearTasks()
  })
}

function isDoorbell(body: unknown): boolean {
  return typeof body === 'object' && body !== null && 'kind' in body
}

/** Tasks alone, without what they work on. */
export async function clearTasks(): Promise<void> {
  await env.DB.prepare('DELETE FROM task_queue').run()
}

/** A module in progress, in a run whose turn it is. */
export async function seedOpenRun(fields: Parameters<typeof seedModule>[0] = {}): Promise<RunId> {
  const { id: moduleId } = await seedModule({ status: 'PROCESSING', run: 1, ...fields })
  await env.DB.prepare(
    `INSERT INTO runs (module_id, run, "trigger", started_at, admitted_at) VALUES (?, 1, 'upload', 0, 0)`,
  )
    .bind(moduleId)
    .run()
  return { moduleId, run: 1 }
}

interface TaskSeed extends RunId {
  index: number
  kind?: TaskKind
  sizeBytes?: number
  nextAttemptAt?: number
}

export async function addTask(seed: TaskSeed): Promise<void> {
  const { moduleId, run, index, kind = 'transcribe', sizeBytes = 0, nextAttemptAt = 0 } = seed
  await env.DB.prepare(
    `INSERT INTO task_queue (subject_kind, subject_id, kind, idx, size_bytes, next_attempt_at)
     VALUES ('run', ?, ?, ?, ?, ?)`,
  )
    .bind(subjectOf({ moduleId, run }).subjectId, kind, index, sizeBytes, nextAttemptAt)
    .run()
}

/** @returns whether this call settled it */
export async function settle(task: Task): Promise<boolean> {
  return (await settleRunTask(openDb(env.DB), toRunTask(task))).meta.changes === 1
}

export async function isDone({ moduleId, run, index, kind = 'transcribe' }: TaskSeed): Promise<boolean> {
  const row = env.DB.prepare('SELECT state FROM task_queue WHERE subject_id = ? AND kind = ? AND idx = ?')
  return (await row.bind(subjectOf({ moduleId, run }).subjectId, kind, index).first('state')) === 'done'
}
