import { and, asc, between, eq, sql } from 'drizzle-orm'
import type { Db } from '#worker/db/db.ts'
import { modules, runs, sections } from '#worker/db/schema.ts'
import type { SectionStep } from '#worker/domain/step/section-step.ts'
import type { SectionAnswer } from '#worker/domain/step/write-section.ts'
import type { CurrentRun } from './current-run.ts'
import { updateReport } from './report-run.ts'
import { isRunCurrent, type RunId } from './run-fence.ts'
import { isRun } from './run-store.ts'
import { holdsLease, settleTask, type Task } from './task-store.ts'

/** A section of the narration that one call of the step writer covers, with the steps that it wrote. */
export type SectionRow = typeof sections.$inferSelect

function isOfRun(id: RunId) {
  return and(eq(sections.moduleId, id.moduleId), eq(sections.run, id.run))
}

function isSection(id: RunId, section: number) {
  return and(isOfRun(id), eq(sections.section, section))
}

/** @returns null when there is no such section */
export async function findSection(db: Db, id: RunId, section: number): Promise<SectionRow | null> {
  return (await db.query.sections.findFirst({ where: isSection(id, section) })) ?? null
}

/** All sections of a run that have been formed, in order. */
export function listSections(db: Db, id: RunId): Promise<SectionRow[]> {
  return db.select().from(sections).where(isOfRun(id)).orderBy(asc(sections.section))
}

/** Sections `first` to `last`, those that exist, in order. */
export function listSectionsBetween(db: Db, id: RunId, first: number, last: number): Promise<SectionRow[]> {
  return db
    .select()
    .from(sections)
    .where(and(isOfRun(id), between(sections.section, first, last)))
    .orderBy(asc(sections.section))
}

/**
 * Stores the steps of a section, counts it, settles its task and says how far the run is, in one transaction.
 * @param task null for a section without segments, which no consumer claims; the first answer stays then
 * @param current as it was when the task was claimed
 * @returns the run and its module as they are then; null when the lease was lost, captions have come since, or a newer
 *   run has begun: nothing has changed then
 */
export async function storeWritten(
  db: Db,
  current: CurrentRun,
  { task, section, answer, nowMs }: { task: Task | null; section: SectionRow; answer: SectionAnswer; nowMs: number },
): Promise<CurrentRun | null> {
  const isPlanned = sql`EXISTS (SELECT 1 FROM ${sections} WHERE ${isSection(section, section.section)}
    AND ${sections.status} = 'planned')`
  const isCaptioned = current.module.transcriptSource === 'captions'
  const isOfTranscript = sql`(SELECT ${modules.transcriptSource} IS 'captions' FROM ${modules}
    WHERE ${modules.id} = ${section.moduleId}) = ${isCaptioned ? 1 : 0}`
  const isOurs = and(task === null ? isPlanned : holdsLease(task), isOfTranscript, isRunCurrent(section))
  const [[run], , [module]] = await db.batch([
    db
      .update(runs)
      .set({ writtenSections: sql`${runs.writtenSections} + 1` })
      .where(and(isRun(section), isOurs))
      .returning(),
    db
      .update(sections)
      .set({ status: 'written', steps: JSON.stringify(answer.steps), isDraft: answer.isDraft })
      .where(and(isSection(section, section.section), isOurs)),
    updateReport(db, current, nowMs),
    ...(task === null ? [] : [settleTask(db, task, isOfTranscript)]),
  ])
  return run === undefined || module === undefined ? null : { run, module }
}

/** A section's steps; null before they are written. */
export function readSectionSteps(row: SectionRow): SectionStep[] | null {
  return row.steps === null ? null : (JSON.parse(row.steps) as SectionStep[])
}

/** Removes the sections of all runs. */
export async function removeSections(db: Db, moduleId: string): Promise<void> {
  await db.delete(sections).where(eq(sections.moduleId, moduleId))
}
