import { env } from 'cloudflare:workers'
import type { TaskKind } from '#worker/db/task-tables.ts'
import type { SubjectSql, TaskHandler } from '../task.ts'

/** Subjects of no table, each with its owner. @param openIds those that are open; all where left out */
export function subjectsOf(
  owners: Record<string, string>,
  openIds: readonly string[] = Object.keys(owners),
): SubjectSql {
  const rows = openIds.map((id) => `SELECT '${id}' AS id, '${owners[id]}' AS owner`)
  return {
    kind: 'module',
    open: rows.join(' UNION ALL '),
    isOpen: (id) => `${id} IN (${openIds.map((openId) => `'${openId}'`).join(', ')})`,
    openSince: () => 'NULL',
    requestId: () => "'request'",
  }
}

interface RowSeed {
  subjectId: string
  index: number
  kind?: TaskKind
  leaseUntil?: number
  nextAttemptAt?: number
  sizeBytes?: number
  busySince?: number | null
}

/** Adds rows of tasks as they are. */
export async function seedRows(...rows: RowSeed[]): Promise<void> {
  const insert = env.DB.prepare(
    `INSERT INTO task_queue (subject_kind, subject_id, kind, idx, lease_until, next_attempt_at, size_bytes, busy_since)
     VALUES ('module', ?, ?, ?, ?, ?, ?, ?)`,
  )
  await env.DB.batch(
    rows.map(({ subjectId, index, kind = 'transcribe', leaseUntil = 0, nextAttemptAt = 0, sizeBytes = 0, ...row }) =>
      insert.bind(subjectId, kind, index, leaseUntil, nextAttemptAt, sizeBytes, row.busySince ?? null),
    ),
  )
}

/** A row of a task, as tests compare it. */
export interface Row {
  name: string
  state: string
  attempts: number
  leaseUntil: number
  nextAttemptAt: number
  busySince: number | null
}

/** All rows, in the order of their names: the subject and the index. */
export async function listTaskRows(): Promise<Row[]> {
  const query = `SELECT subject_id || ' ' || idx AS name, state, attempts, lease_until AS leaseUntil,
    next_attempt_at AS nextAttemptAt, busy_since AS busySince FROM task_queue ORDER BY name`
  return (await env.DB.prepare(query).all<Row>()).results
}

/** A handler of tasks that does nothing but what the test says. */
export function handlerFor(subject: SubjectSql, handler: Partial<TaskHandler> = {}): TaskHandler {
  return {
    subject,
    perInvocation: 6,
    isWatched: true,
    wakesBusy: false,
    run: async () => {},
    onGiveUp: async () => {},
    traceOf: () => ({}),
    ...handler,
  }
}
