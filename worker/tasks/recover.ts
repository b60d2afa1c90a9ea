import type { Context } from '#worker/core/context.ts'
import { listRows } from '#worker/db/db.ts'
import type { TaskKind } from '#worker/db/task-tables.ts'
import { ring } from './ring.ts'
import type { Subject, SubjectSql, TaskHandler, TaskHandlers } from './task.ts'

/** What is left to do for a subject. */
export interface OpenWork {
  /** Kinds of which a task can be claimed now. */
  dueKinds: TaskKind[]
  /** How many tasks can be claimed now. */
  dueCount: number
  /**
   * When the next of the others can be claimed, unless its lease is extended: each is in progress or between two
   * attempts, and either ends by itself. Null without others.
   */
  nextMs: number | null
}

/** Finds what is left to do for a subject, of some kinds of tasks. */
export async function findOpenWork(
  d1: D1Database,
  { subjectId, kinds, nowMs }: Subject & { kinds: readonly TaskKind[]; nowMs: number },
): Promise<OpenWork> {
  const query = `SELECT kind, sum(at <= ?3) AS dueCount, min(CASE WHEN at > ?3 THEN at END) AS nextMs
    FROM (SELECT kind, max(lease_until, next_attempt_at) AS at FROM task_queue INDEXED BY task_queue_ready
          WHERE kind IN (SELECT value FROM json_each(?1)) AND subject_id = ?2 AND state = 'ready')
    GROUP BY kind`
  type Row = { kind: TaskKind; dueCount: number; nextMs: number | null }
  const rows = await listRows<Row>(d1, query, JSON.stringify(kinds), subjectId, nowMs)
  const nexts = rows.flatMap(({ nextMs }) => nextMs ?? [])
  return {
    dueKinds: rows.filter(({ dueCount }) => dueCount > 0).map(({ kind }) => kind),
    dueCount: rows.reduce((sum, { dueCount }) => sum + dueCount, 0),
    nextMs: nexts.length === 0 ? null : Math.min(...nexts),
  }
}

/** Whether a task of a kind can be claimed now: it is free, or its worker died. */
async function isAnyDue(
  { d1, nowMs }: Context,
  { kind, subject }: { kind: TaskKind; subject: SubjectSql },
): Promise<boolean> {
  const query = `SELECT 1 FROM (${subject.open}) AS s CROSS JOIN task_queue AS t INDEXED BY task_queue_ready
      ON t.kind = ?1 AND t.subject_id = s.id AND t.state = 'ready'
    WHERE max(t.lease_until, t.next_attempt_at) <= ?2 LIMIT 1`
  return (await listRows(d1, query, kind, nowMs())).length > 0
}

/**
 * Recovers tasks whose subjects have no watchdog: rings for each kind of which a task is due.
 * @returns how many doorbells it rang
 */
export async function ringForDue(context: Context, handlers: TaskHandlers): Promise<number> {
  let rung = 0
  for (const [kind, { subject, isWatched }] of Object.entries(handlers) as [TaskKind, TaskHandler][]) {
    if (isWatched || !(await isAnyDue(context, { kind, subject }))) continue
    await ring(context, kind)
    rung += 1
  }
  return rung
}
