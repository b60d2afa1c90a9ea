import type { Context } from '#worker/core/context.ts'
import type { TaskKind } from '#worker/db/task-tables.ts'
import { ring } from '#worker/tasks/ring.ts'

/** At the time `?1` no worker of the version before does them; what one does stays where it can settle it. */
const IS_FREE = `(state = 'done' OR lease_until <= ?1)`

/** Where both tables have a task, work that is left to do wins: doing it twice changes nothing. */
const CARRY = `
  INSERT INTO task_queue (subject_kind, subject_id, kind, idx, state, lease_until, lease_id, attempts, next_attempt_at,
    busy_since, size_bytes)
  SELECT iif(kind = 'translate', 'module', 'run'), iif(kind = 'translate', module_id, module_id || '/' || run), kind,
    idx, state, iif(state = 'done', 0, lease_until), lease_id, attempts, next_attempt_at, busy_since, size_bytes
  FROM tasks WHERE ${IS_FREE}
  ON CONFLICT (subject_kind, subject_id, kind, idx) DO UPDATE SET state = 'ready', next_attempt_at = excluded.next_attempt_at
  WHERE excluded.state = 'ready'`

/** Chunks that one version has planned again while the other one's table held their task as done. */
const REOPEN = `
  UPDATE task_queue SET state = 'ready', lease_id = NULL, attempts = 0, next_attempt_at = ?1
  WHERE subject_kind = 'run' AND kind = 'transcribe' AND state = 'done' AND (subject_id, idx) IN (
    SELECT module_id || '/' || run, chunk FROM audio_chunks
    WHERE (module_id, run) IN (SELECT module_id, run FROM tasks) AND status = 'planned' AND words IS NOT NULL
      AND (SELECT captions_key FROM modules WHERE id = module_id) IS NULL)`

/**
 * Moves tasks that the version before has left or added, after a deploy or a rollback, and rings for them. Goes with
 * their table (docs/decisions/task-engine.md).
 * @returns how many were moved
 */
export async function carryTasksOver(context: Pick<Context, 'd1' | 'queues' | 'nowMs'>): Promise<number> {
  const { d1 } = context
  const nowMs = context.nowMs()
  const bind = (query: string) => d1.prepare(query).bind(nowMs)
  const [ready, , reopened, moved] = await d1.batch<{ kind: TaskKind }>([
    bind(`SELECT DISTINCT kind FROM tasks WHERE state = 'ready' AND ${IS_FREE}`),
    bind(CARRY),
    bind(REOPEN),
    bind(`DELETE FROM tasks WHERE ${IS_FREE}`),
  ])
  const kinds = new Set((ready?.results ?? []).map(({ kind }) => kind))
  if ((reopened?.meta.changes ?? 0) > 0) kinds.add('transcribe')
  for (const kind of kinds) await ring(context, kind)
  return moved?.meta.changes ?? 0
}

/** The module that a task of `task_queue` belongs to. */
const MODULE_ID = "substr(subject_id, 1, instr(subject_id || '/', '/') - 1)"

/**
 * Removes tasks of modules that are erased: after a rollback the version before erases them, and does not know their tasks
 * here. A subject without an open task keeps its rows; there are hardly any such subjects.
 */
export async function removeErasedTasks(d1: D1Database): Promise<void> {
  const query = `DELETE FROM task_queue WHERE subject_kind IN ('run', 'module') AND subject_id IN (
    SELECT subject_id FROM task_queue INDEXED BY task_queue_ready WHERE state = 'ready'
      AND NOT EXISTS (SELECT 1 FROM modules WHERE id = ${MODULE_ID})
      AND NOT EXISTS (SELECT 1 FROM deleted_modules WHERE id = ${MODULE_ID}))`
  await d1.prepare(query).run()
}
