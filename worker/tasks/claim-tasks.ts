import { listRows } from '#worker/db/db.ts'
import type { TaskKind } from '#worker/db/task-tables.ts'
import { busyTasks } from './busy-tasks.ts'
import type { SubjectSql, Task } from './task.ts'
import { LEASE_MS } from './task-store.ts'

/** Tasks of one subject that may be in progress at once; as many rows at least a claim reads of each subject. */
const LEASED_MAX = 60

/** How much a claim takes. */
export interface ClaimLimits {
  limit: number
  /** Bytes that there is memory for. */
  bytes: number
  /** Whether one task is taken although it is larger than that: nothing else is in progress. */
  isIdle: boolean
}

/** Whose tasks are claimed, and when. */
export interface Claim extends ClaimLimits {
  kind: TaskKind
  subject: SubjectSql
  nowMs: number
}

/**
 * Claims tasks of one kind that are due and free, of all owners in turn: first those of the owners with the fewest in
 * progress, so that neither a long video nor many of them delay another owner's. One statement, so two consumers never
 * get the same task. A lease that ran out counts as a failure.
 *
 * An example with `limit: 3` at the time 100. Ann owns the subjects A and B, Ben owns C; D is not open.
 *
 *     rows before                                       after
 *     subject  idx  lease_until  next_attempt_at        turn  place
 *     A        0    105          0                      1     –      in progress
 *     A        1    0            0                      3     4      free, but after the limit
 *     A        2    0            500                    –     –      not due
 *     B        0    95           0                      2     2      claimed; attempts + 1, its lease ran out
 *     C        0    0            0                      1     1      claimed first: Ben has nothing in progress
 *     C        1    0            0                      2     3      claimed
 *     D        0    0            0                      –     –      not open
 *
 * `turn` numbers the tasks of each owner: those in progress, then the free ones by index. `place` numbers the free ones
 * of all owners by turn, then by index.
 */
export async function claimTasks(d1: D1Database, claim: Claim): Promise<Task[]> {
  const { kind, subject, limit, bytes, isIdle, nowMs } = claim
  const query = `UPDATE task_queue SET lease_id = ?3, lease_until = ?4, attempts = attempts + (lease_until > 0)
    WHERE rowid IN (
      SELECT id FROM (
        SELECT id, row_number() OVER places AS place, sum(size_bytes) OVER places AS bytes FROM (
          SELECT t.rowid AS id, t.*, row_number() OVER (PARTITION BY s.owner
                   ORDER BY t.lease_until > ?2 DESC, t.idx, t.subject_id) AS turn
          FROM (${subject.open}) AS s CROSS JOIN task_queue AS t ON t.rowid IN (
            SELECT rowid FROM task_queue INDEXED BY task_queue_ready
            WHERE kind = ?1 AND subject_id = s.id AND state = 'ready'
              AND (lease_until > ?2 OR next_attempt_at <= ?2)
            ORDER BY idx LIMIT ?5 + ${LEASED_MAX}))
        WHERE lease_until <= ?2
        WINDOW places AS (ORDER BY turn, idx, next_attempt_at, subject_id ROWS UNBOUNDED PRECEDING))
      WHERE place <= ?5 AND (bytes <= ?6 OR (place = 1 AND ?7)))
    RETURNING subject_kind AS subjectKind, subject_id AS subjectId, kind, idx AS "index", payload,
      lease_id AS leaseId, attempts, busy_since AS busySince, size_bytes AS sizeBytes,
      EXISTS (SELECT 1 ${busyTasks(subject)}) AS isAnyBusy,
      coalesce(${subject.openSince('task_queue.subject_id')}, busy_since, ?2) AS openSince,
      ${subject.requestId('task_queue.subject_id')} AS requestId`
  type Row = Omit<Task, 'isAnyBusy' | 'payload'> & { isAnyBusy: number; payload: string | null }
  const lease = [crypto.randomUUID(), nowMs + LEASE_MS]
  const rows = await listRows<Row>(d1, query, kind, nowMs, ...lease, limit, bytes, isIdle ? 1 : 0)
  return rows
    .map(({ payload, isAnyBusy, ...row }): Task => {
      return { ...row, payload: payload === null ? null : JSON.parse(payload), isAnyBusy: isAnyBusy === 1 }
    })
    .toSorted((a, b) => a.index - b.index)
}

/** Finds when the next free task of a kind is due; null when there is none. */
export async function findNextDueMs(
  d1: D1Database,
  { kind, subject }: Pick<Claim, 'kind' | 'subject'>,
): Promise<number | null> {
  const query = `SELECT min(t.next_attempt_at) AS dueMs
    FROM (${subject.open}) AS s CROSS JOIN task_queue AS t INDEXED BY task_queue_ready
      ON t.kind = ?1 AND t.subject_id = s.id AND t.state = 'ready'
    WHERE t.lease_until = 0`
  const [row] = await listRows<{ dueMs: number | null }>(d1, query, kind)
  return row?.dueMs ?? null
}

/** Lists in SQL the ids of the subjects that have tasks of the kind `?1`, for the `open` of a subject kind. */
export const SUBJECTS_WITH_TASKS = `SELECT DISTINCT subject_id AS id FROM task_queue INDEXED BY task_queue_ready
  WHERE kind = ?1 AND state = 'ready'`
