import { and, eq, type SQL, sql } from 'drizzle-orm'
import type { Context } from '#worker/core/context.ts'
import type { Db } from '#worker/db/db.ts'
import { tasks } from '#worker/db/task-tables.ts'
import { findBusyUntilMs, forgetBusy } from '#worker/tasks/busy-tasks.ts'
import { ring } from '#worker/tasks/ring.ts'
import { addTask, insertTasks, settleTask } from '#worker/tasks/task-store.ts'
import { IS_CURRENT_RUN, isRunCurrent, type RunId } from './fence.ts'
import { RUN_TASK_KINDS, type RunTask, runSubjectId, subjectOf } from './run-subject.ts'

/** Wakes all consumers up: a run may have tasks of any kind when its turn comes, or when it is restored. */
export async function ringAll(context: Pick<Context, 'queues'>): Promise<void> {
  await Promise.all(RUN_TASK_KINDS.map((kind) => ring(context, kind)))
}

/** Which rows become tasks: those from `from` to `to`, or all. */
interface TaskRange {
  nowMs: number
  from?: number
  to?: number
}

const bindRange = (statement: D1PreparedStatement, id: RunId, { nowMs, from = 0, to }: TaskRange) =>
  statement.bind(id.moduleId, id.run, nowMs, from, to ?? Number.MAX_SAFE_INTEGER)

const ADD_CHUNK_TASKS = insertTasks({
  subjectKind: 'run',
  kind: 'transcribe',
  subjectId: runSubjectId('audio_chunks'),
  index: 'chunk',
  dueMs: '?3',
  sizeBytes: 'size_bytes',
  from: 'audio_chunks',
  where: `module_id = ?1 AND run = ?2 AND chunk BETWEEN ?4 AND ?5 AND status = 'planned'`,
})

/**
 * Makes the statement that adds a task for each audio chunk of a run that is not transcribed yet, for the batch that
 * writes the chunks. Tasks that are there stay as they are.
 */
export function addChunkTasks(d1: D1Database, id: RunId, range: TaskRange): D1PreparedStatement {
  return bindRange(d1.prepare(ADD_CHUNK_TASKS), id, range)
}

const ADD_SECTION_TASKS = insertTasks({
  subjectKind: 'run',
  kind: 'write_steps',
  subjectId: runSubjectId('sections'),
  index: 'section',
  dueMs: '?3',
  from: 'sections',
  where: `module_id = ?1 AND run = ?2 AND section BETWEEN ?4 AND ?5 AND status = 'planned'
    AND to_position > from_position`,
})

/** Makes the same statement for sections whose steps are not written yet; one without segments needs no writer. */
export function addSectionTasks(d1: D1Database, id: RunId, range: TaskRange): D1PreparedStatement {
  return bindRange(d1.prepare(ADD_SECTION_TASKS), id, range)
}

/** SQL that adds the task of outlining all steps of the run `?2` of the module `?1`; it stands behind those of the sections. */
export const ADD_OUTLINE_TASK = insertTasks({
  subjectKind: 'run',
  kind: 'write_steps',
  subjectId: runSubjectId('runs'),
  index: 'section_count',
  dueMs: '?3',
  from: 'runs',
  where: `module_id = ?1 AND run = ?2 AND written_sections >= section_count AND outline = '' AND ${IS_CURRENT_RUN}`,
})

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
  const subjectId = run === undefined ? sql.raw("id || '/' || run") : subjectOf({ moduleId, run }).subjectId
  const isMeant = run === undefined ? sql`run > 0` : sql`run = ${run}`
  const task = { subjectKind: 'run', subjectId, kind: 'ingest', index, dueMs: nowMs } as const
  return addTask(db, task, sql`FROM modules WHERE id = ${moduleId} AND source_etag IS NOT NULL AND ${isMeant}`)
}

/**
 * Makes the statement that settles a task of a run; it stands after those of its result, in their batch. A module that
 * was deleted meanwhile keeps it: once restored, the run continues.
 * @param isStored what the result depends on besides the lease and the run
 */
export function settleRunTask(db: Db, task: RunTask, isStored?: SQL) {
  return settleTask(db, task, and(isRunCurrent(task), isStored))
}

/** SQL that selects the tasks of a run of the module `?1`. @param run its parameter */
export const ofRunTasks = (run: string) => `subject_kind = 'run'
  AND subject_id = (SELECT ${runSubjectId('runs')} FROM runs WHERE module_id = ?1 AND run = ${run})`
const OF_RUN = ofRunTasks('?2')

/**
 * Makes the statements that take what is to be done with a run's audio off it, where captions take its place: nothing
 * is transcribed any more, and sections are planned again.
 * @param isOpen condition in SQL on the module `?1`, the run `?2` and the captions' key `?3`
 */
export function dropAudioTasks(
  d1: D1Database,
  { moduleId, run }: RunId,
  { isOpen, captionsKey }: { isOpen: string; captionsKey: string },
): D1PreparedStatement[] {
  const bind = (query: string) => d1.prepare(`${query} AND ${isOpen}`).bind(moduleId, run, captionsKey)
  return [
    bind(`UPDATE task_queue SET state = 'done' WHERE ${OF_RUN} AND kind = 'transcribe' AND state = 'ready'`),
    bind(`DELETE FROM task_queue WHERE ${OF_RUN} AND kind = 'write_steps'`),
  ]
}

/**
 * SQL that has the chunks of the run `?2` of the module `?1` transcribed once more that are planned again, due at `?3`.
 * A condition may follow.
 */
export const REOPEN_CHUNK_TASKS = `
  UPDATE task_queue SET state = 'ready', lease_id = NULL, attempts = 0, next_attempt_at = ?3
  WHERE ${OF_RUN} AND kind = 'transcribe' AND state = 'done' AND idx IN (
    SELECT chunk FROM audio_chunks WHERE module_id = ?1 AND run = ?2 AND status = 'planned' AND words IS NOT NULL)`

/** Makes the statement that removes the tasks of all runs of a module that is erased; it stands before that of the runs. */
export function removeRunTasks(db: Db, moduleId: string) {
  const ids = sql`SELECT ${sql.raw(runSubjectId('runs'))} FROM runs WHERE module_id = ${moduleId}`
  return db.delete(tasks).where(and(eq(tasks.subjectKind, 'run'), sql`${tasks.subjectId} IN (${ids})`))
}

/** SQL that removes all tasks of the runs of the module `?1` up to a number. A condition may follow. */
export const removeTasksUpTo = (run: string) => `
  DELETE FROM task_queue WHERE subject_kind = 'run'
    AND subject_id IN (SELECT ${runSubjectId('runs')} FROM runs WHERE module_id = ?1 AND run <= ${run})`

/** Makes the statement after which the tasks of a run that has ended wait for no model any more. */
export function forgetBusyRun(db: Db, id: RunId) {
  const hasEnded = sql`EXISTS (SELECT 1 FROM runs
    WHERE module_id = ${id.moduleId} AND run = ${id.run} AND ended_at IS NOT NULL)`
  return forgetBusy(db, subjectOf(id), hasEnded)
}

/** Finds when the model is asked next where all that is left of a run waits for a busy one; null while anything else is due. */
export function findRunBusyUntilMs(d1: D1Database, id: RunId, nowMs: number): Promise<number | null> {
  return findBusyUntilMs(d1, { ...subjectOf(id), kinds: RUN_TASK_KINDS, nowMs })
}
