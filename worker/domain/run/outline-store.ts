import { and } from 'drizzle-orm'
import { type Db, runSql } from '#worker/db/db.ts'
import { runs } from '#worker/db/schema.ts'
import type { Outlined } from '#worker/domain/step/outlined.ts'
import { holdsLease } from '#worker/tasks/task-store.ts'
import { isRunCurrent, type RunId } from './fence.ts'
import { type CurrentRun, isOfCaptions, isRun, updateReport } from './run-store.ts'
import type { RunTask } from './run-subject.ts'
import { ADD_OUTLINE_TASK, settleRunTask } from './run-task-store.ts'

/**
 * Adds the task of outlining all steps of a run, once every section is written; it stands behind those of the sections.
 * @returns false when it is there already, or the run is not the current one any more
 */
export async function addOutlineTask(d1: D1Database, id: RunId, nowMs: number): Promise<boolean> {
  return (await runSql(d1, ADD_OUTLINE_TASK, id.moduleId, id.run, nowMs)) > 0
}

/**
 * Stores where in the steps of a run entries of the list begin, and settles the task, in one transaction.
 * @returns false when the lease was lost, captions have come since, or a newer run has begun: nothing has changed then
 */
export async function settleOutline(
  db: Db,
  current: CurrentRun,
  { task, entries, nowMs }: { task: RunTask; entries: readonly Outlined[]; nowMs: number },
): Promise<boolean> {
  const isSameCaptions = isOfCaptions(current)
  const [stored] = await db.batch([
    db
      .update(runs)
      .set({ outline: JSON.stringify(entries) })
      .where(and(isRun(task), holdsLease(task), isSameCaptions, isRunCurrent(task))),
    updateReport(db, current, nowMs),
    settleRunTask(db, task, isSameCaptions),
  ])
  return stored.meta.changes === 1
}

/** Reads the entries of a run's list as {@link settleOutline} stored them. */
export function readOutlined(outline: string): Outlined[] {
  return JSON.parse(outline) as Outlined[]
}
