import { and, eq, type SQL, sql } from 'drizzle-orm'
import type { FailureCode } from '#contract/module.ts'
import type { Db } from '#worker/db/db.ts'
import { modules, runs } from '#worker/db/schema.ts'
import { isRunCurrent, type RunId } from './run-fence.ts'

/** The row of a run's module, while the run is its current, unfinished one. */
function isModuleOf(id: RunId) {
  return and(eq(modules.id, id.moduleId), isRunCurrent(id))
}

/** Fields that a run may report while it is the current one. */
export interface RunReport {
  progress?: number
  message?: string
  durationMs?: number
  language?: string
}

/**
 * Writes the heartbeat of a run. Progress only grows.
 * @returns false when the run is not the current one any more, has ended, or the module is gone
 */
export async function reportRun(db: Db, at: RunId & { nowMs: number }, report: RunReport): Promise<boolean> {
  const { progress, ...fields } = report
  const grown =
    progress === undefined ? {} : { progress: sql<number>`max(${modules.progress}, ${Math.floor(progress)})` }
  const updated = await db
    .update(modules)
    .set({ ...fields, ...grown, updatedAt: at.nowMs, redrives: 0 })
    .where(isModuleOf(at))
    .returning({ id: modules.id })
  return updated.length === 1
}

/**
 * Counts a check that found no progress of a run. The clock begins with the first one: a machine may have been off.
 * @returns false when it has ended or a newer one has begun
 */
export async function countRedrive(db: Db, at: RunId & { nowMs: number }): Promise<boolean> {
  const counted = await db
    .update(modules)
    .set({
      redrives: sql`${modules.redrives} + 1`,
      updatedAt: sql`CASE WHEN ${modules.redrives} = 0 THEN ${at.nowMs} ELSE ${modules.updatedAt} END`,
    })
    .where(isModuleOf(at))
    .returning({ id: modules.id })
  return counted.length === 1
}

/**
 * The statement that ends a module's current run as FAILED, alone or in one batch with the run's own row. A browser's
 * audio that has not been compared with the video fails no module.
 */
export function updateFailed(
  db: Db,
  { isOurs, ...at }: RunId & { nowMs: number; isOurs?: SQL | undefined },
  failure: { code: FailureCode; reason: string },
) {
  return db
    .update(modules)
    .set({
      status: 'FAILED',
      message: 'Processing failed',
      failureCode: failure.code,
      lastError: failure.reason,
      updatedAt: at.nowMs,
    })
    .where(
      and(
        isModuleOf(at),
        isOurs,
        sql`NOT EXISTS (SELECT 1 FROM ${runs} WHERE ${runs.moduleId} = ${at.moduleId} AND ${runs.run} = ${at.run}
          AND ${runs.audioFrom} = 'browser' AND NOT ${runs.isVerified})`,
      ),
    )
    .returning({ id: modules.id })
}
