import { and, asc, between, eq, sql } from 'drizzle-orm'
import type { Db } from '#worker/db/db.ts'
import { modules, runs, stretches } from '#worker/db/schema.ts'
import type { StretchStep } from '#worker/domain/step/stretch-step.ts'
import type { StretchAnswer } from '#worker/domain/step/write-stretch.ts'
import type { CurrentRun } from './current-run.ts'
import { updateReport } from './report-run.ts'
import { isRunCurrent, type RunId } from './run-fence.ts'
import { isRun } from './run-store.ts'
import { holdsLease, settleTask, type Task } from './task-store.ts'

/** A stretch of the narration that one call of the step writer covers, with the steps that it wrote. */
export type StretchRow = typeof stretches.$inferSelect

function isOfRun(id: RunId) {
  return and(eq(stretches.moduleId, id.moduleId), eq(stretches.run, id.run))
}

function isStretch(id: RunId, stretch: number) {
  return and(isOfRun(id), eq(stretches.stretch, stretch))
}

/** @returns null when there is no such stretch */
export async function findStretch(db: Db, id: RunId, stretch: number): Promise<StretchRow | null> {
  return (await db.query.stretches.findFirst({ where: isStretch(id, stretch) })) ?? null
}

/** All stretches of a run that have been formed, in order. */
export function listStretches(db: Db, id: RunId): Promise<StretchRow[]> {
  return db.select().from(stretches).where(isOfRun(id)).orderBy(asc(stretches.stretch))
}

/** Stretches `first` to `last`, those that exist, in order. */
export function listStretchesBetween(db: Db, id: RunId, first: number, last: number): Promise<StretchRow[]> {
  return db
    .select()
    .from(stretches)
    .where(and(isOfRun(id), between(stretches.stretch, first, last)))
    .orderBy(asc(stretches.stretch))
}

/**
 * Stores the steps of a section, counts it, settles its task and says how far the run is, in one transaction.
 * @param task null for a section without segments, which nobody claims; the first answer stays then
 * @param current as it was when the task was claimed
 * @returns the run and its module as they are then; null when the lease was lost, captions have come since, or a newer
 *   run has begun: nothing has changed then
 */
export async function storeWritten(
  db: Db,
  current: CurrentRun,
  { task, stretch, answer, nowMs }: { task: Task | null; stretch: StretchRow; answer: StretchAnswer; nowMs: number },
): Promise<CurrentRun | null> {
  const isPlanned = sql`EXISTS (SELECT 1 FROM ${stretches} WHERE ${isStretch(stretch, stretch.stretch)}
    AND ${stretches.status} = 'planned')`
  const isCaptioned = current.module.transcriptSource === 'captions'
  const isOfTranscript = sql`(SELECT ${modules.transcriptSource} IS 'captions' FROM ${modules}
    WHERE ${modules.id} = ${stretch.moduleId}) = ${isCaptioned ? 1 : 0}`
  const isOurs = and(task === null ? isPlanned : holdsLease(task), isOfTranscript, isRunCurrent(stretch))
  const [[run], , [module]] = await db.batch([
    db
      .update(runs)
      .set({ writtenStretches: sql`${runs.writtenStretches} + 1` })
      .where(and(isRun(stretch), isOurs))
      .returning(),
    db
      .update(stretches)
      .set({ status: 'written', steps: JSON.stringify(answer.steps), isDraft: answer.isDraft })
      .where(and(isStretch(stretch, stretch.stretch), isOurs)),
    updateReport(db, current, nowMs),
    ...(task === null ? [] : [settleTask(db, task, isOfTranscript)]),
  ])
  return run === undefined || module === undefined ? null : { run, module }
}

/** A stretch's steps; null before they are written. */
export function readStretchSteps(row: StretchRow): StretchStep[] | null {
  return row.steps === null ? null : (JSON.parse(row.steps) as StretchStep[])
}

/** Removes the stretches of all runs. */
export async function removeStretches(db: Db, moduleId: string): Promise<void> {
  await db.delete(stretches).where(eq(stretches.moduleId, moduleId))
}
