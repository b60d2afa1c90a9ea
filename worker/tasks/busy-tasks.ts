import { and, eq, isNotNull, type SQL } from 'drizzle-orm'
import { type Db, listRows, runSql } from '#worker/db/db.ts'
import { type TaskKind, tasks } from '#worker/db/task-tables.ts'
import type { Subject, SubjectSql } from './task.ts'

/** Makes SQL from `FROM` on: tasks of the kind `?1` that wait for a busy model, of subjects that are open. */
export function busyTasks({ isOpen }: SubjectSql): string {
  return `FROM task_queue AS b INDEXED BY task_queue_busy
    WHERE b.kind = ?1 AND b.state = 'ready' AND b.busy_since IS NOT NULL AND ${isOpen('b.subject_id')}`
}

/** How many tasks an answered call wakes: a model that is back has more to do with each answer, and never all at once. */
const WOKEN = 6

/** Ends the pauses of the tasks that have waited longest for a busy model, since it has answered another call. */
export async function wakeBusyTasks(
  d1: D1Database,
  { kind, subject, nowMs }: { kind: TaskKind; subject: SubjectSql; nowMs: number },
): Promise<void> {
  const query = `UPDATE task_queue SET next_attempt_at = ?2
    WHERE rowid IN (
      SELECT b.rowid ${busyTasks(subject)} AND b.next_attempt_at > ?2 ORDER BY b.busy_since LIMIT ${WOKEN})`
  await runSql(d1, query, kind, nowMs)
}

/** Makes the statement after which the tasks of a subject wait for no model any more. */
export function forgetBusy(db: Db, { subjectKind, subjectId }: Subject, isOver: SQL) {
  const isOfSubject = and(eq(tasks.subjectKind, subjectKind), eq(tasks.subjectId, subjectId))
  return db
    .update(tasks)
    .set({ busySince: null })
    .where(and(isOfSubject, isNotNull(tasks.busySince), isOver))
}

/** Finds when the model is asked next where all that is left of a subject waits for a busy one; null otherwise. */
export async function findBusyUntilMs(
  d1: D1Database,
  { subjectId, kinds, nowMs }: Subject & { kinds: readonly TaskKind[]; nowMs: number },
): Promise<number | null> {
  const query = `SELECT iif(count(*) = count(busy_since) AND max(lease_until) <= ?3, min(next_attempt_at), NULL) AS untilMs
    FROM task_queue INDEXED BY task_queue_ready
    WHERE kind IN (SELECT value FROM json_each(?1)) AND subject_id = ?2 AND state = 'ready'`
  const [row] = await listRows<{ untilMs: number | null }>(d1, query, JSON.stringify(kinds), subjectId, nowMs)
  return row?.untilMs ?? null
}
