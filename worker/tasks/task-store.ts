import { and, eq, type SQL, sql } from 'drizzle-orm'
import { type Db, listRows } from '#worker/db/db.ts'
import { PAYLOAD_MAX_BYTES, type SubjectKind, type TaskKind, tasks } from '#worker/db/task-tables.ts'
import type { NextAttempt } from './retry.ts'
import type { Subject, SubjectSql, Task, TaskKey } from './task.ts'

/** How long a claim keeps other consumers away. A worker that is alive extends its lease three times as often. */
export const LEASE_MS = 10_000

/** A task that is to be added. */
export interface NewTask extends Omit<TaskKey, 'subjectId'> {
  subjectId: string | SQL
  /** What JSON can hold, small: what is large belongs into a table of its subject. */
  payload?: unknown
  dueMs: number
  sizeBytes?: number
}

/** @throws where a payload is larger than a task may carry */
function encodePayload({ kind, payload }: Pick<NewTask, 'kind' | 'payload'>): string | null {
  if (payload === undefined) return null
  const json = JSON.stringify(payload)
  const bytes = new TextEncoder().encode(json).byteLength
  if (bytes <= PAYLOAD_MAX_BYTES) return json
  throw new Error(`The payload of a task of kind ${kind} has ${bytes} bytes; ${PAYLOAD_MAX_BYTES} are allowed.`)
}

/**
 * Makes the statement that adds a task, for the batch that makes it possible. One that is there stays as it is.
 * @param from SQL from `FROM` on: the task is added where it finds a row. Left out, it is added in any case.
 */
export function addTask(db: Db, task: NewTask, from: SQL = sql`WHERE true`) {
  const { subjectKind, subjectId, kind, index, dueMs, sizeBytes = 0 } = task
  return db
    .insert(tasks)
    .select(
      sql`SELECT ${subjectKind}, ${subjectId}, ${kind}, ${index}, ${encodePayload(task)}, 'ready', 0, NULL, 0, ${dueMs}, NULL, ${sizeBytes} ${from}`,
    )
    .onConflictDoNothing()
}

/** Tasks that are added for rows of a table; all but the first two are SQL. */
interface TaskRows {
  subjectKind: SubjectKind
  kind: TaskKind
  subjectId: string
  index: string
  dueMs: string
  sizeBytes?: string
  from: string
  where: string
  /** A task that is there is due then as well, as if it had never failed; left out, it stays as it is. */
  isRepeated?: boolean
}

/** Makes the SQL that adds tasks for the rows of a table. */
export function insertTasks(rows: TaskRows): string {
  const { subjectKind, kind, subjectId, index, dueMs, sizeBytes = '0', from, where, isRepeated = false } = rows
  const onConflict = isRepeated ? 'UPDATE SET next_attempt_at = excluded.next_attempt_at, attempts = 0' : 'NOTHING'
  return `INSERT INTO task_queue (subject_kind, subject_id, kind, idx, next_attempt_at, size_bytes)
    SELECT '${subjectKind}', ${subjectId}, '${kind}', ${index}, ${dueMs}, ${sizeBytes} FROM ${from} WHERE ${where}
    ON CONFLICT (subject_kind, subject_id, kind, idx) DO ${onConflict}`
}

function isTask({ subjectKind, subjectId, kind, index }: TaskKey) {
  return and(
    eq(tasks.subjectKind, subjectKind),
    eq(tasks.subjectId, subjectId),
    eq(tasks.kind, kind),
    eq(tasks.index, index),
  )
}

/** Checks in SQL whether a task is still this consumer's: every statement that commits its result carries it. */
export function holdsLease(task: Task) {
  return sql`EXISTS (SELECT 1 FROM ${tasks}
    WHERE ${and(isTask(task), eq(tasks.state, 'ready'), eq(tasks.leaseId, task.leaseId))})`
}

/**
 * Makes the statement that settles a task as done; it stands after those of its result, in their batch.
 * @param isStored what the result depends on besides the lease
 */
export function settleTask(db: Db, task: Task, isStored?: SQL) {
  return db
    .update(tasks)
    .set({ state: 'done', leaseUntil: 0 })
    .where(and(isTask(task), eq(tasks.state, 'ready'), eq(tasks.leaseId, task.leaseId), isStored))
}

const IS_OURS = 'subject_kind = ?1 AND subject_id = ?2 AND kind = ?3 AND idx = ?4 AND lease_id = ?5'
/** The same check for a statement that {@link bindOwn} makes. */
export const HOLDS_LEASE = `EXISTS (SELECT 1 FROM task_queue WHERE ${IS_OURS} AND state = 'ready')`

/** Makes a statement of a consumer's task: `?1` to `?5` name its lease, and the values come from `?6` on. */
export function bindOwn(d1: D1Database, task: Task, query: string, ...values: unknown[]): D1PreparedStatement {
  const { subjectKind, subjectId, kind, index, leaseId } = task
  return d1.prepare(query).bind(subjectKind, subjectId, kind, index, leaseId, ...values)
}

/**
 * Makes the statements that settle a task that may be added again while it is in progress (`isRepeated`); they stand after
 * those of its result, in their batch. It is removed, or due again where it was added again after `claimedMs`. Nothing
 * happens once its lease was lost.
 */
export function settleRepeated(d1: D1Database, task: Task, claimedMs: number): D1PreparedStatement[] {
  return [
    bindOwn(d1, task, `DELETE FROM task_queue WHERE ${IS_OURS} AND next_attempt_at <= ?6`, claimedMs),
    bindOwn(d1, task, `UPDATE task_queue SET lease_id = NULL, lease_until = 0 WHERE ${IS_OURS}`),
  ]
}

/** Releases a task until its next attempt. Nothing happens when the lease was lost meanwhile. */
export async function retryTask(d1: D1Database, task: Task, next: NextAttempt): Promise<void> {
  const query = `UPDATE task_queue
    SET lease_id = NULL, lease_until = 0, attempts = ?6, next_attempt_at = ?7, busy_since = ?8
    WHERE ${IS_OURS} AND state = 'ready'`
  await bindOwn(d1, task, query, next.attempts, next.nextAttemptAt, next.busySince).run()
}

/**
 * Extends the lease of tasks of one kind that one claim took, as the sign that their worker is alive.
 * @returns the ids of the subjects of those that are still this consumer's, while they are open
 */
export async function extendLeases(
  d1: D1Database,
  { claimed, subject, nowMs }: { claimed: readonly Task[]; subject: SubjectSql; nowMs: number },
): Promise<Set<string>> {
  const names = claimed.map(({ subjectKind, subjectId, kind, index, leaseId }) => {
    return { subjectKind, subjectId, kind, index, leaseId }
  })
  const query = `UPDATE task_queue SET lease_until = ?2 WHERE rowid IN (
      SELECT t.rowid FROM json_each(?1) AS name CROSS JOIN task_queue AS t
        ON t.subject_kind = name.value->>'subjectKind' AND t.subject_id = name.value->>'subjectId'
       AND t.kind = name.value->>'kind' AND t.idx = name.value->>'index' AND t.lease_id = name.value->>'leaseId'
      WHERE t.state = 'ready' AND ${subject.isOpen('t.subject_id')})
    RETURNING subject_id AS subjectId`
  const rows = await listRows<{ subjectId: string }>(d1, query, JSON.stringify(names), nowMs + LEASE_MS)
  return new Set(rows.map(({ subjectId }) => subjectId))
}

/** Lists the tasks of one kind of a subject that are not done, by their index. */
export async function listReadyTasks(d1: D1Database, { subjectId }: Subject, kind: TaskKind): Promise<number[]> {
  const query = `SELECT idx FROM task_queue INDEXED BY task_queue_ready
    WHERE kind = ? AND subject_id = ? AND state = 'ready' ORDER BY idx`
  const rows = await listRows<{ idx: number }>(d1, query, kind, subjectId)
  return rows.map(({ idx }) => idx)
}

/** Makes the statement that removes the tasks of a subject that is erased. */
export function removeTasks(db: Db, { subjectKind, subjectId }: Subject) {
  return db.delete(tasks).where(and(eq(tasks.subjectKind, subjectKind), eq(tasks.subjectId, subjectId)))
}
