import { and, eq, type SQL, sql } from 'drizzle-orm'
import type { Db } from '#worker/db/db.ts'
import { type TaskKind, tasks } from '#worker/db/schema.ts'
import { isRunCurrent, type RunId } from './run-deps.ts'

/** A task that a consumer has claimed: no other consumer does it until its lease runs out. */
export interface Task extends RunId {
  kind: TaskKind
  /** Number of the slice, the audio chunk or the section. */
  index: number
  leaseId: string
  /** Failures so far. */
  attempts: number
  /** Since when the model has said without a pause that it is busy; null otherwise. Epoch milliseconds. */
  busySince: number | null
  sizeBytes: number
  /** Of the request that led to its run, for the log. */
  requestId: string | null
}

/** Which rows become tasks: those from `from` to `to`, or all. */
interface TaskRange {
  nowMs: number
  from?: number
  to?: number
}

const ADD = 'INSERT INTO tasks (module_id, run, kind, idx, next_attempt_at, size_bytes)'

/**
 * Makes the statement that adds a task for each audio chunk of a run that is not transcribed yet, for the batch that
 * writes the chunks. Tasks that are there stay as they are.
 */
export function addChunkTasks(d1: D1Database, id: RunId, { nowMs, from = 0, to }: TaskRange): D1PreparedStatement {
  return d1
    .prepare(
      `${ADD} SELECT module_id, run, 'transcribe', chunk, ?3, size_bytes FROM audio_chunks
       WHERE module_id = ?1 AND run = ?2 AND chunk BETWEEN ?4 AND ?5 AND status = 'planned' ON CONFLICT DO NOTHING`,
    )
    .bind(id.moduleId, id.run, nowMs, from, to ?? Number.MAX_SAFE_INTEGER)
}

/** Makes the same statement for sections whose steps are not written yet; one without segments needs no writer. */
export function addSectionTasks(d1: D1Database, id: RunId, { nowMs, from = 0, to }: TaskRange): D1PreparedStatement {
  return d1
    .prepare(
      `${ADD} SELECT module_id, run, 'write_steps', section, ?3, 0 FROM sections
       WHERE module_id = ?1 AND run = ?2 AND section BETWEEN ?4 AND ?5 AND status = 'planned'
         AND to_position > from_position ON CONFLICT DO NOTHING`,
    )
    .bind(id.moduleId, id.run, nowMs, from, to ?? Number.MAX_SAFE_INTEGER)
}

/**
 * Makes the statement that adds a task that reads the video: it cuts the next slice of its audio, or compares a
 * browser's audio with it. Nothing is added before the video has arrived.
 * @param run of the task; left out, it is the module's current run, if there is one
 */
export function addIngestTask(
  db: Db,
  { moduleId, run }: { moduleId: string; run?: number },
  { index, nowMs }: { index: number; nowMs: number },
) {
  const ofRun = run === undefined ? sql`run > 0` : sql`run = ${run}`
  return db
    .insert(tasks)
    .select(
      sql`SELECT id, run, 'ingest', ${index}, 'ready', 0, NULL, 0, ${nowMs}, NULL, 0 FROM modules
          WHERE id = ${moduleId} AND source_etag IS NOT NULL AND ${ofRun}`,
    )
    .onConflictDoNothing()
}

function isTask({ moduleId, run, kind, index }: Pick<Task, 'moduleId' | 'run' | 'kind' | 'index'>) {
  return and(eq(tasks.moduleId, moduleId), eq(tasks.run, run), eq(tasks.kind, kind), eq(tasks.index, index))
}

/** Checks in SQL whether a task is still this consumer's: every statement that commits its result carries it. */
export function holdsLease(task: Task) {
  return sql`EXISTS (SELECT 1 FROM ${tasks}
    WHERE ${and(isTask(task), eq(tasks.state, 'ready'), eq(tasks.leaseId, task.leaseId))})`
}

/**
 * Makes the statement that settles a task as done; it stands behind those of its result, in their batch. A module that
 * was deleted meanwhile keeps it: once restored, the run goes on.
 * @param isStored what the result depends on beside the lease and the run
 */
export function settleTask(db: Db, task: Task, isStored?: SQL) {
  return db
    .update(tasks)
    .set({ state: 'done', leaseUntil: 0 })
    .where(and(isTask(task), eq(tasks.state, 'ready'), eq(tasks.leaseId, task.leaseId), isRunCurrent(task), isStored))
    .returning({ index: tasks.index })
}

/**
 * Makes the statements that take what is to be done with a run's audio off it, where captions take its place: nothing
 * is transcribed any more, and sections are planned again.
 * @param isOpen condition in SQL on the module `?1` and the run `?2`
 */
export function dropAudioTasks(d1: D1Database, { moduleId, run }: RunId, isOpen: string): D1PreparedStatement[] {
  const bind = (sql: string) => d1.prepare(`${sql} AND ${isOpen}`).bind(moduleId, run)
  return [
    bind(
      `UPDATE tasks SET state = 'done' WHERE module_id = ?1 AND run = ?2 AND kind = 'transcribe' AND state = 'ready'`,
    ),
    bind(`DELETE FROM tasks WHERE module_id = ?1 AND run = ?2 AND kind = 'write_steps'`),
  ]
}

/** Removes the tasks of all runs. */
export async function removeTasks(db: Db, moduleId: string): Promise<void> {
  await db.delete(tasks).where(eq(tasks.moduleId, moduleId))
}
