import type { Subject, SubjectSql, Task } from '#worker/tasks/task.ts'
import { makeFence, type RunId } from './fence.ts'

/** The kinds of tasks that a run has. */
export const RUN_TASK_KINDS = ['ingest', 'transcribe', 'write_steps'] as const
/** One of them. */
export type RunTaskKind = (typeof RUN_TASK_KINDS)[number]

const SEPARATOR = '/'

/** The id of a run as the subject of tasks, in SQL on a table that has its module and its number. */
export const runSubjectId = (table: string) => `${table}.module_id || '${SEPARATOR}' || ${table}.run`

/** A run as the subject of its tasks. */
export function subjectOf({ moduleId, run }: RunId): Subject {
  return { subjectKind: 'run', subjectId: `${moduleId}${SEPARATOR}${run}` }
}

/** A claimed task of a run. */
export interface RunTask extends Task, RunId {}

/** Reads which run a task belongs to. */
export function toRunTask(task: Task): RunTask {
  const separatorAt = task.subjectId.lastIndexOf(SEPARATOR)
  const run = Number(task.subjectId.slice(separatorAt + SEPARATOR.length))
  return { ...task, moduleId: task.subjectId.slice(0, separatorAt), run }
}

const moduleOf = (id: string) => `substr(${id}, 1, instr(${id}, '${SEPARATOR}') - 1)`
const numberOf = (id: string) => `CAST(substr(${id}, instr(${id}, '${SEPARATOR}') + 1) AS INTEGER)`
const columnOf = (column: string) => (id: string) =>
  `(SELECT ${column} FROM runs WHERE module_id = ${moduleOf(id)} AND run = ${numberOf(id)})`

/**
 * Runs as subjects: open are those in progress whose turn it is. An older run, or one whose module was deleted, has no
 * tasks.
 */
export const RUN_SUBJECT: SubjectSql = {
  kind: 'run',
  open: `SELECT ${runSubjectId('r')} AS id, m.user_id AS owner
    FROM runs AS r CROSS JOIN modules AS m ON m.id = r.module_id AND m.run = r.run AND m.run_status = 'PROCESSING'
      AND r.admitted_at IS NOT NULL AND r.ended_at IS NULL`,
  isOpen: (id) => makeFence(moduleOf(id), numberOf(id)),
  openSince: columnOf('admitted_at'),
  requestId: columnOf('request_id'),
}
