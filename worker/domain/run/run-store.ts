import { and, eq, isNull } from 'drizzle-orm'
import type { FailureCode } from '#contract/module.ts'
import type { Db } from '#worker/db/db.ts'
import { modules, runs } from '#worker/db/schema.ts'

export type RunRow = typeof runs.$inferSelect
export type RunTrigger = RunRow['trigger']

/** A run of a module, by the two numbers that name it. */
export interface RunId {
  moduleId: string
  run: number
}

function isRun(id: RunId) {
  return and(eq(runs.moduleId, id.moduleId), eq(runs.run, id.run))
}

/** @returns null when there is no such run */
export async function findRun(db: Db, id: RunId): Promise<RunRow | null> {
  return (await db.query.runs.findFirst({ where: isRun(id) })) ?? null
}

/**
 * Makes `previousRun + 1` the module's current run, from which moment the older one can no longer commit.
 * @returns null when another call began a run first
 */
export async function insertRun(
  db: Db,
  start: {
    moduleId: string
    previousRun: number
    trigger: RunTrigger
    message: string
    progress: number
    nowMs: number
  },
): Promise<RunId | null> {
  const id = { moduleId: start.moduleId, run: start.previousRun + 1 }
  const [begun] = await db.batch([
    db
      .update(modules)
      .set({
        run: id.run,
        status: 'PROCESSING',
        progress: start.progress,
        message: start.message,
        failureCode: null,
        lastError: null,
        redrives: 0,
        updatedAt: start.nowMs,
      })
      .where(and(eq(modules.id, start.moduleId), eq(modules.run, start.previousRun), isNull(modules.deletedAt)))
      .returning({ id: modules.id }),
    db
      .insert(runs)
      .values({ ...id, trigger: start.trigger, startedAt: start.nowMs })
      .onConflictDoNothing(),
    db
      .update(runs)
      .set({ endedAt: start.nowMs, outcome: 'superseded' })
      .where(and(isRun({ moduleId: start.moduleId, run: start.previousRun }), isNull(runs.endedAt))),
  ])
  return begun.length === 1 ? id : null
}

/**
 * Remembers how far the source has been cut; `partCount` once its end was reached.
 * @param fromMs the cursor that the slice began at
 * @returns false when another delivery of the same slice moved on first; that one asks for what comes next
 */
export async function moveCursor(
  db: Db,
  id: RunId,
  fromMs: number | null,
  to: { cursorMs: number | null; partCount: number | null },
): Promise<boolean> {
  const isThere = fromMs === null ? isNull(runs.cursorMs) : eq(runs.cursorMs, fromMs)
  const moved = await db
    .update(runs)
    .set(to)
    .where(and(isRun(id), isThere, isNull(runs.partCount)))
    .returning({ run: runs.run })
  return moved.length === 1
}

/** @returns true for the one caller that is to ask for step writing */
export async function claimSteps(db: Db, id: RunId, nowMs: number): Promise<boolean> {
  const claimed = await db
    .update(runs)
    .set({ stepsAskedAt: nowMs })
    .where(and(isRun(id), isNull(runs.stepsAskedAt)))
    .returning({ run: runs.run })
  return claimed.length === 1
}

export async function endRun(
  db: Db,
  id: RunId,
  end: { outcome: 'ready' | 'failed'; failureCode: FailureCode | null; nowMs: number },
): Promise<void> {
  await db
    .update(runs)
    .set({ endedAt: end.nowMs, outcome: end.outcome, failureCode: end.failureCode })
    .where(and(isRun(id), isNull(runs.endedAt)))
}

/** Removes all runs of a module. */
export async function removeRuns(db: Db, moduleId: string): Promise<void> {
  await db.delete(runs).where(eq(runs.moduleId, moduleId))
}
