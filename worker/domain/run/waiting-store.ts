import { and, eq, isNotNull, sql } from 'drizzle-orm'
import type { Db } from '#worker/db/db.ts'
import { type TaskKind, tasks } from '#worker/db/schema.ts'
import type { RunRow } from './run-store.ts'
import { BUSY_TASKS, type RunId } from './task-store.ts'

/** How many runs of a day say how long one usually takes. */
const USUAL_RUNS = 20

/**
 * Finds how many runs of the same owner come before one that waits for its turn, and how long a run took lately.
 * @returns `usualMs` is null where none has ended well within a day
 */
export async function findTurn(
  d1: D1Database,
  { userId, run, nowMs }: { userId: string; run: RunRow; nowMs: number },
): Promise<{ before: number; usualMs: number | null }> {
  const turn = await d1
    .prepare(
      `SELECT (SELECT count(*) FROM modules AS m JOIN runs AS r ON r.module_id = m.id AND r.run = m.run
               WHERE m.user_id = ?1 AND m.run_status = 'PROCESSING' AND m.received_at IS NOT NULL AND r.ended_at IS NULL
                 AND (r.admitted_at IS NOT NULL OR (r.started_at, r.module_id) < (?2, ?3))) AS before,
              (SELECT avg(ended_at - admitted_at) FROM (
                 SELECT ended_at, admitted_at FROM runs WHERE started_at > ?4 AND outcome = 'ready'
                 ORDER BY started_at DESC LIMIT ${USUAL_RUNS})) AS usualMs`,
    )
    .bind(userId, run.startedAt, run.moduleId, nowMs - 24 * 60 * 60_000)
    .first<{ before: number; usualMs: number | null }>()
  return turn ?? { before: 0, usualMs: null }
}

/** Finds when the model is asked next where all that is left of a run waits for a busy one; null while anything else is due. */
export async function findBusyUntilMs(d1: D1Database, { moduleId, run }: RunId, nowMs: number): Promise<number | null> {
  return d1
    .prepare(
      `SELECT iif(count(*) = count(busy_since) AND max(lease_until) <= ?3, min(next_attempt_at), NULL) AS untilMs
       FROM tasks INDEXED BY tasks_ready
       WHERE module_id = ?1 AND run = ?2 AND kind IN ('ingest', 'transcribe', 'write_steps') AND state = 'ready'`,
    )
    .bind(moduleId, run, nowMs)
    .first('untilMs')
}

/** How many tasks an answered call wakes: a model that is back has more to do with each answer, and never all at once. */
const WOKEN = 6

/** Ends the pauses of the tasks that have waited longest for a busy model, since it has answered another call. */
export async function wakeBusyTasks(d1: D1Database, kind: TaskKind, nowMs: number): Promise<void> {
  await d1
    .prepare(
      `UPDATE tasks SET next_attempt_at = ?2
       WHERE rowid IN (SELECT b.rowid ${BUSY_TASKS} AND b.next_attempt_at > ?2 ORDER BY b.busy_since LIMIT ${WOKEN})`,
    )
    .bind(kind, nowMs)
    .run()
}

/** Makes the statement after which the tasks of a run that has ended wait for no model any more. */
export function forgetBusy(db: Db, { moduleId, run }: RunId) {
  const hasEnded = sql`EXISTS (SELECT 1 FROM runs WHERE module_id = ${moduleId} AND run = ${run} AND ended_at IS NOT NULL)`
  return db
    .update(tasks)
    .set({ busySince: null })
    .where(and(eq(tasks.moduleId, moduleId), eq(tasks.run, run), isNotNull(tasks.busySince), hasEnded))
}

/** A module that a busy model has left undone: FAILED without its words, or READY with drafts. */
interface EndedBusy {
  moduleId: string
  /** Whether that model has answered any call since. */
  hasAnswered: boolean
}

/** Parts of the product whose outcome shows whether the language model answers. */
const LANGUAGE_PARTS = `('steps', 'rewriter', 'tutor')`

/**
 * Lists modules that a busy model has left undone: those whose model has answered since, then the longest waiting ones.
 * @param answeredBeforeMs when a module ended at the latest whose model has answered since
 * @param silentBeforeMs the same for all others
 */
export async function listEndedBusy(
  d1: D1Database,
  { answeredBeforeMs, silentBeforeMs, limit }: { answeredBeforeMs: number; silentBeforeMs: number; limit: number },
): Promise<EndedBusy[]> {
  const { results } = await d1
    .prepare(
      `SELECT id AS moduleId, hasAnswered FROM (
         SELECT id, updated_at, updated_at < (SELECT coalesce(max(ok_at), 0) FROM outcomes
             WHERE iif(m.run_status = 'FAILED', part = 'speech', part IN ${LANGUAGE_PARTS})) AS hasAnswered
         FROM modules AS m WHERE failure_code = 'ai_busy' AND updated_at <= ?1)
       WHERE hasAnswered OR updated_at <= ?2 ORDER BY hasAnswered DESC, updated_at LIMIT ?3`,
    )
    .bind(answeredBeforeMs, silentBeforeMs, limit)
    .all<Omit<EndedBusy, 'hasAnswered'> & { hasAnswered: number }>()
  return results.map(({ moduleId, hasAnswered }) => ({ moduleId, hasAnswered: hasAnswered === 1 }))
}
