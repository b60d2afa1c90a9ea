import type { TaskKind } from '#worker/db/schema.ts'
import type { RunDeps, RunId } from '#worker/domain/run/run-deps.ts'
import type { CurrentRun } from '#worker/domain/run/run-store.ts'
import type { Task } from '#worker/domain/run/task-store.ts'
import type { Services } from '#worker/services.ts'

/** What a task can reach. */
export interface TaskDeps extends RunDeps {
  services: Services
}

/** What a stage knows about the invocation that it runs in. */
export interface Attempt {
  /** Finds the run and its module, once for all tasks of one claim. */
  findCurrent: () => Promise<CurrentRun | null>
  /** Fires when the run has ended, was fenced, or the lease was lost while the task was in progress. */
  signal: AbortSignal
  /** Ends the other tasks of the same run, once the run as a whole cannot succeed. */
  stopRun: () => void
}

/** How long a claim keeps other consumers away. A worker that is alive extends its lease three times as often. */
export const LEASE_MS = 10_000
/** Failures after which a task is given up: with the pauses between them, about four minutes. */
export const MAX_ATTEMPTS = 7
/** How long a model may say that it is busy, in hours, before its module fails. */
export const BUSY_MAX_MS = 3 * 60 * 60_000

/** Audio chunks of one run that may be in progress at once; as many rows at least a claim reads of each run. */
const LEASED_MAX = 60

/** How much a claim takes. */
export interface ClaimLimits {
  limit: number
  /** Bytes of audio that there is room for. */
  bytes: number
  /** Whether one task is taken although it is larger than that: nothing else is in progress. */
  isIdle: boolean
}

/** `r` is a run in progress whose turn it is, `m` its module: an older run, or one that was deleted, has no tasks. */
const OPEN_RUNS = `runs AS r CROSS JOIN modules AS m
  ON m.id = r.module_id AND m.run = r.run AND m.status = 'PROCESSING'`
const IS_OPEN = 'r.admitted_at IS NOT NULL AND r.ended_at IS NULL'

/**
 * Claims tasks of one kind that are due and free, of all runs in turn: first those of the runs with the fewest in
 * progress, so that no long video holds up others. One statement, so two consumers never get the same task. A lease
 * that ran out counts as a failure.
 */
export async function claimTasks(
  d1: D1Database,
  kind: TaskKind,
  { limit, bytes, isIdle, nowMs }: ClaimLimits & { nowMs: number },
): Promise<Task[]> {
  const { results } = await d1
    .prepare(
      `UPDATE tasks SET lease_id = ?3, lease_until = ?4, attempts = attempts + (lease_until > 0)
       WHERE rowid IN (
         SELECT id FROM (
           SELECT id, row_number() OVER places AS place, sum(size_bytes) OVER places AS bytes FROM (
             SELECT t.rowid AS id, t.*, row_number() OVER (PARTITION BY t.module_id
                      ORDER BY t.lease_until > ?2 DESC, t.idx) AS turn
             FROM ${OPEN_RUNS} CROSS JOIN tasks AS t ON t.rowid IN (
               SELECT rowid FROM tasks INDEXED BY tasks_ready
               WHERE module_id = r.module_id AND run = r.run AND kind = ?1 AND state = 'ready'
                 AND (lease_until > ?2 OR next_attempt_at <= ?2)
               ORDER BY idx LIMIT ?5 + ${LEASED_MAX})
             WHERE ${IS_OPEN})
           WHERE lease_until <= ?2
           WINDOW places AS (ORDER BY turn, idx, next_attempt_at, module_id ROWS UNBOUNDED PRECEDING))
         WHERE place <= ?5 AND (bytes <= ?6 OR (place = 1 AND ?7)))
       RETURNING module_id AS moduleId, run, kind, idx AS "index", lease_id AS leaseId, attempts,
         busy_since AS busySince, size_bytes AS sizeBytes,
         (SELECT request_id FROM runs AS r WHERE r.module_id = tasks.module_id AND r.run = tasks.run) AS requestId`,
    )
    .bind(kind, nowMs, crypto.randomUUID(), nowMs + LEASE_MS, limit, bytes, isIdle ? 1 : 0)
    .all<Task>()
  return results.toSorted((a, b) => a.index - b.index)
}

/**
 * Extends the lease of tasks that one claim took, as the sign that their worker is alive.
 * @returns the runs of those that are still this consumer's, while these are in progress
 */
export async function extendLeases(d1: D1Database, claimed: Task[], nowMs: number): Promise<RunId[]> {
  const names = claimed.map(({ moduleId, run, kind, index, leaseId }) => ({ moduleId, run, kind, index, leaseId }))
  const { results } = await d1
    .prepare(
      `UPDATE tasks SET lease_until = ?2 WHERE rowid IN (
         SELECT t.rowid FROM json_each(?1) AS name CROSS JOIN tasks AS t
           ON t.module_id = name.value->>'moduleId' AND t.run = name.value->>'run' AND t.kind = name.value->>'kind'
          AND t.idx = name.value->>'index' AND t.lease_id = name.value->>'leaseId'
         JOIN modules AS m ON m.id = t.module_id AND m.run = t.run AND m.status = 'PROCESSING'
         WHERE t.state = 'ready' AND t.lease_until > 0)
       RETURNING module_id AS moduleId, run`,
    )
    .bind(JSON.stringify(names), nowMs + LEASE_MS)
    .all<RunId>()
  return results
}

/** When a task that was given back is due again, and what is remembered of it. */
export interface NextAttempt {
  attempts: number
  nextAttemptAt: number
  busySince: number | null
}

/** Gives a task back until its next attempt. Nothing happens when the lease was lost meanwhile. */
export async function retryTask(d1: D1Database, task: Task, next: NextAttempt): Promise<void> {
  await d1
    .prepare(
      `UPDATE tasks SET lease_id = NULL, lease_until = 0, attempts = ?6, next_attempt_at = ?7, busy_since = ?8
       WHERE module_id = ?1 AND run = ?2 AND kind = ?3 AND idx = ?4 AND state = 'ready' AND lease_id = ?5`,
    )
    .bind(
      task.moduleId,
      task.run,
      task.kind,
      task.index,
      task.leaseId,
      next.attempts,
      next.nextAttemptAt,
      next.busySince,
    )
    .run()
}

/** Finds when the next free task of a kind is due; null when there is none. */
export async function findNextDueMs(d1: D1Database, kind: TaskKind): Promise<number | null> {
  const row = await d1
    .prepare(
      `SELECT min(t.next_attempt_at) AS dueMs FROM ${OPEN_RUNS} CROSS JOIN tasks AS t INDEXED BY tasks_ready
         ON t.module_id = r.module_id AND t.run = r.run AND t.kind = ?1 AND t.state = 'ready'
       WHERE ${IS_OPEN} AND t.lease_until = 0`,
    )
    .bind(kind)
    .first<{ dueMs: number | null }>()
  return row?.dueMs ?? null
}

/** The tasks of one run that are not done, by kind. */
export interface OpenTasks {
  kind: TaskKind
  /** How many can be claimed now. */
  due: number
  /** When the next one of the others can be claimed, unless its lease is extended; null without others. */
  nextMs: number | null
}

/** Counts the open tasks of a run. */
export async function listOpenTasks(d1: D1Database, { moduleId, run }: RunId, nowMs: number): Promise<OpenTasks[]> {
  const { results } = await d1
    .prepare(
      `SELECT kind, sum(at <= ?3) AS due, min(CASE WHEN at > ?3 THEN at END) AS nextMs
       FROM (SELECT kind, max(lease_until, next_attempt_at) AS at FROM tasks INDEXED BY tasks_ready
             WHERE module_id = ?1 AND run = ?2 AND kind IN ('ingest', 'transcribe', 'write_steps') AND state = 'ready')
       GROUP BY kind`,
    )
    .bind(moduleId, run, nowMs)
    .all<OpenTasks>()
  return results
}
