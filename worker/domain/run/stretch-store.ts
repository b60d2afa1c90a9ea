import { and, asc, between, eq, gt, lte, sql } from 'drizzle-orm'
import type { Db } from '#worker/db/db.ts'
import { modules, runs, stretches } from '#worker/db/schema.ts'
import type { StretchStep } from '#worker/domain/step/stretch-step.ts'
import type { StretchAnswer } from '#worker/domain/step/write-stretch.ts'
import type { CurrentRun } from './current-run.ts'
import { updateReport } from './report-run.ts'
import { isRun, isRunCurrent, type RunId } from './run-store.ts'

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

/** Numbers of the stretches below `formed` whose steps are still to be written and that nobody is at work on. */
export async function listIdleStretches(
  db: Db,
  id: RunId,
  { formed, nowMs }: { formed: number; nowMs: number },
): Promise<number[]> {
  const rows = await db
    .select({ stretch: stretches.stretch })
    .from(stretches)
    .where(
      and(
        isOfRun(id),
        eq(stretches.status, 'planned'),
        lte(stretches.busyUntil, nowMs),
        sql`${stretches.stretch} < ${formed}`,
      ),
    )
    .orderBy(asc(stretches.stretch))
  return rows.map((row) => row.stretch)
}

/** Whether a stretch is being written, or waits for its next try: neither is lost. */
export async function hasBusyStretches(db: Db, id: RunId, nowMs: number): Promise<boolean> {
  const [row] = await db
    .select({ stretch: stretches.stretch })
    .from(stretches)
    .where(and(isOfRun(id), eq(stretches.status, 'planned'), gt(stretches.busyUntil, nowMs)))
    .limit(1)
  return row !== undefined
}

/** Says until when a stretch is not to be taken up: while it is worked on, or before its next try. */
export async function holdStretch(db: Db, id: RunId, stretch: number, untilMs: number): Promise<void> {
  await db.update(stretches).set({ busyUntil: untilMs }).where(isStretch(id, stretch))
}

/**
 * Stores a stretch's steps, counts it and says how far the run is, in one transaction; the first answer stays.
 * @param current as it was when the stretch was taken up
 * @returns the run and its module as they are then; null when it had been written before, captions have come since, or
 * a newer run has begun
 */
export async function storeWritten(
  db: Db,
  current: CurrentRun,
  { stretch, answer, nowMs }: { stretch: StretchRow; answer: StretchAnswer; nowMs: number },
): Promise<CurrentRun | null> {
  const isPlanned = sql`EXISTS (SELECT 1 FROM ${stretches} WHERE ${stretches.moduleId} = ${stretch.moduleId}
    AND ${stretches.run} = ${stretch.run} AND ${stretches.stretch} = ${stretch.stretch}
    AND ${stretches.status} = 'planned')`
  const isCaptioned = current.module.transcriptSource === 'captions'
  const isOfTranscript = sql`(SELECT ${modules.transcriptSource} IS 'captions' FROM ${modules}
    WHERE ${modules.id} = ${stretch.moduleId}) = ${isCaptioned ? 1 : 0}`
  const [[run], , [module]] = await db.batch([
    db
      .update(runs)
      .set({ writtenStretches: sql`${runs.writtenStretches} + 1` })
      .where(and(isRun(stretch), isPlanned, isOfTranscript, isRunCurrent(stretch)))
      .returning(),
    db
      .update(stretches)
      .set({ status: 'written', steps: JSON.stringify(answer.steps), isDraft: answer.isDraft })
      .where(
        and(
          isStretch(stretch, stretch.stretch),
          eq(stretches.status, 'planned'),
          isOfTranscript,
          isRunCurrent(stretch),
        ),
      ),
    updateReport(db, current, nowMs),
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
