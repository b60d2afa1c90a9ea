import type { TaskKind } from '#worker/db/schema.ts'
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

/** A module that a busy model has left undone: FAILED without its words, or READY with drafts. */
interface EndedBusy {
  moduleId: string
  /** Whether that model has answered any call since. */
  hasAnswered: boolean
}

/** How often a module is begun again, in case it is not the model that stands in its way. */
const RESUMES_MAX = 6

/**
 * Lists modules that a busy model has left undone: those whose model has answered since, then the longest waiting ones.
 * A person's steps and decisions are not disturbed: READY modules that a person has changed since stay as they are.
 * @param answeredMs how long a module rests whose model has answered since; twice as long after each run that ended so
 * @param silentMs the same for all others
 */
export async function listEndedBusy(
  d1: D1Database,
  { nowMs, answeredMs, silentMs, limit }: { nowMs: number; answeredMs: number; silentMs: number; limit: number },
): Promise<EndedBusy[]> {
  const { results } = await d1
    .prepare(
      `SELECT id AS moduleId, hasAnswered FROM (
         SELECT id, updated_at,
           updated_at < (SELECT coalesce(max(ok_at), 0) FROM outcomes
             WHERE part = iif(m.run_status = 'FAILED', 'speech', 'steps')) AS hasAnswered,
           (SELECT count(*) FROM runs WHERE module_id = m.id AND run < m.run AND failure_code = 'ai_busy') AS resumes
         FROM modules AS m WHERE failure_code = 'ai_busy' AND updated_at <= ?1 - ?2
           AND (run_status = 'FAILED' OR edited_version <= made_version))
       WHERE resumes < ${RESUMES_MAX} AND updated_at <= ?1 - iif(hasAnswered, ?2, ?3) * (1 << resumes)
       ORDER BY hasAnswered DESC, updated_at LIMIT ?4`,
    )
    .bind(nowMs, answeredMs, silentMs, limit)
    .all<Omit<EndedBusy, 'hasAnswered'> & { hasAnswered: number }>()
  return results.map(({ moduleId, hasAnswered }) => ({ moduleId, hasAnswered: hasAnswered === 1 }))
}
