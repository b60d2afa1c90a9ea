import type { Context } from '#worker/core/context.ts'
import type { TaskKind } from '#worker/db/task-tables.ts'
import { ring } from '#worker/tasks/ring.ts'

/** Tasks that the previous version claimed are free at once: it cannot settle rows that left its table. */
const CARRY = `
  INSERT INTO task_queue (subject_kind, subject_id, kind, idx, state, lease_id, attempts, next_attempt_at, busy_since,
    size_bytes)
  SELECT iif(kind = 'translate', 'module', 'run'), iif(kind = 'translate', module_id, module_id || '/' || run), kind,
    idx, state, lease_id, attempts, next_attempt_at, busy_since, size_bytes
  FROM tasks WHERE true ON CONFLICT DO NOTHING`

/**
 * Moves tasks that the version before has added since the migration, during a deploy or after a rollback, and rings for
 * them. Goes with their table (docs/decisions/task-engine.md).
 * @returns how many were moved
 */
export async function carryTasksOver(context: Pick<Context, 'd1' | 'queues'>): Promise<number> {
  const { d1 } = context
  const query = "SELECT DISTINCT kind FROM tasks INDEXED BY tasks_ready WHERE state = 'ready'"
  const [ready, moved] = await d1.batch<{ kind: TaskKind }>([
    d1.prepare(query),
    d1.prepare(CARRY),
    d1.prepare('DELETE FROM tasks'),
  ])
  for (const { kind } of ready?.results ?? []) await ring(context, kind)
  return moved?.meta.changes ?? 0
}
