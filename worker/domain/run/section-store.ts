import { and, asc, between, eq, sql } from 'drizzle-orm'
import type { Db } from '#worker/db/db.ts'
import { type FormedSegment, modules, runs, sections } from '#worker/db/schema.ts'
import type { SectionStep } from '#worker/domain/step/section-step.ts'
import type { SectionAnswer } from '#worker/domain/step/write-section.ts'
import { IS_CURRENT_RUN, isRunCurrent, type RunId } from './current-run.ts'
import { updateReport } from './report-run.ts'
import { type CurrentRun, isRun } from './run-store.ts'
import { addSectionTasks, dropAudioTasks, holdsLease, settleTask, type Task } from './task-store.ts'

/** One section as it is stored, in one go with the segments that it is made of. */
export interface SectionToStore {
  section: number
  /** Position of its first segment. */
  fromPosition: number
  segments: FormedSegment[]
  untilMs: number
  isLast: boolean
  nowMs: number
}

/**
 * Stores the segments of a run's next section and moves the run on. While the module has no steps of another run, what
 * has been transcribed so far is its transcript.
 * @returns false when another delivery stored it first, captions have come, or a newer run has begun
 */
export async function storeSection(db: D1Database, id: RunId, formed: SectionToStore): Promise<boolean> {
  const { section, fromPosition, segments } = formed
  const toPosition = fromPosition + segments.length
  // What the statements before the last one look at is changed by the last one only.
  const isNext = `${IS_CURRENT_RUN} AND EXISTS (SELECT 1 FROM runs WHERE module_id = ?1 AND run = ?2 AND formed_sections = ?3)
    AND NOT EXISTS (SELECT 1 FROM modules WHERE id = ?1 AND transcript_source = 'captions')`
  const bind = (sql: string, ...values: unknown[]) => db.prepare(sql).bind(id.moduleId, id.run, section, ...values)
  const results = await db.batch([
    bind(
      `INSERT INTO sections (module_id, run, section, from_position, to_position, segments)
       SELECT ?1, ?2, ?3, ?4, ?5, ?6 WHERE ${isNext} ON CONFLICT DO NOTHING`,
      fromPosition,
      toPosition,
      JSON.stringify(segments),
    ),
    addSectionTasks(db, id, { nowMs: formed.nowMs, from: section, to: section }),
    bind(
      `UPDATE modules SET transcript_source = 'speech', transcript_run = ?2, transcript_key = NULL, segment_count = ?4,
              updated_at = ?5
       WHERE id = ?1 AND ${isNext}
         AND EXISTS (SELECT 1 FROM runs WHERE module_id = ?1 AND run = ?2 AND is_live)`,
      toPosition,
      formed.nowMs,
    ),
    bind(
      `UPDATE runs SET formed_sections = ?3 + 1, formed_until_ms = ?4, formed_segments = ?5,
              section_count = CASE WHEN ?6 THEN ?3 + 1 ELSE section_count END
       WHERE module_id = ?1 AND run = ?2 AND ${isNext}`,
      formed.untilMs,
      toPosition,
      formed.isLast ? 1 : 0,
    ),
  ])
  return (results.at(-1)?.meta.changes ?? 0) === 1
}

/** Where a captioned module's sections lie: positions of segments. */
export interface PlannedSection {
  fromPosition: number
  toPosition: number
}

/**
 * Stores all sections of a captioned module at once, in place of what the same run transcribed before.
 * @returns false when that has been done already, or a newer run has begun
 */
export async function planSectionsOf(
  db: D1Database,
  id: RunId,
  { planned, nowMs }: { planned: PlannedSection[]; nowMs: number },
): Promise<boolean> {
  const isOpen = `${IS_CURRENT_RUN} AND EXISTS (SELECT 1 FROM runs WHERE module_id = ?1 AND run = ?2 AND (section_count IS NULL OR formed_segments > 0))`
  const rows = JSON.stringify(planned.map((each, section) => ({ ...each, section })))
  const results = await db.batch([
    ...dropAudioTasks(db, id, isOpen),
    db.prepare(`DELETE FROM sections WHERE module_id = ?1 AND run = ?2 AND ${isOpen}`).bind(id.moduleId, id.run),
    db
      .prepare(
        `INSERT INTO sections (module_id, run, section, from_position, to_position)
         SELECT ?1, ?2, value->>'section', value->>'fromPosition', value->>'toPosition'
         FROM json_each(?3) WHERE ${isOpen}`,
      )
      .bind(id.moduleId, id.run, rows),
    addSectionTasks(db, id, { nowMs }),
    db
      .prepare(
        `UPDATE runs SET formed_sections = ?3, section_count = ?3, formed_segments = 0, written_sections = 0
         WHERE module_id = ?1 AND run = ?2 AND ${isOpen}`,
      )
      .bind(id.moduleId, id.run, planned.length),
  ])
  return (results.at(-1)?.meta.changes ?? 0) === 1
}

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
