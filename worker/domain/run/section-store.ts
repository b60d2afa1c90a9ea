import { and, asc, between, eq, sql } from 'drizzle-orm'
import { STEP_HARD_LIMITS } from '#contract/limits.ts'
import type { Db } from '#worker/db/db.ts'
import { type FormedSegment, runs, sections } from '#worker/db/schema.ts'
import { addTranslateTasks, LANGUAGES_JSON } from '#worker/domain/module/translate-tasks.ts'
import { MIN_STEP_MS } from '#worker/domain/step/extractive/step-times.ts'
import {
  CHAPTER_TOUCHED,
  IS_BY_TIME,
  IS_UNTOUCHED,
  insertProposals,
  isAddedNow,
  placeSteps,
  STEPS_OF_EDITED,
  upsertSteps,
} from '#worker/domain/step/step-store.ts'
import { type SectionStep, type StepToStore, type WrittenSection } from '#worker/domain/step/tidy-section.ts'
import { CAPTIONS_RUN } from '#worker/domain/transcript/transcript-store.ts'
import { holdsLease } from '#worker/tasks/task-store.ts'
import { IS_CURRENT_RUN, isRunCurrent, makeFence, type RunId } from './fence.ts'
import { END_RUNS, IS_BUSY_END } from './kept-work-store.ts'
import { type CurrentRun, isOfCaptions, isRun, updateReport } from './run-store.ts'
import type { RunTask } from './run-subject.ts'
import { addSectionTasks, dropAudioTasks, removeTasksUpTo, settleRunTask } from './run-task-store.ts'

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
    AND EXISTS (SELECT 1 FROM modules WHERE id = ?1 AND captions_key IS NULL)`
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
      `UPDATE modules SET transcript_run = ?2, transcript_key = NULL, segment_count = ?4, updated_at = ?5
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
 * Stores all sections of a captioned module at once, in place of those that the same run had of other words.
 * @returns false when that has been done already, other captions have come since, or a newer run has begun
 */
export async function planSectionsOf(
  db: D1Database,
  id: RunId,
  { captionsKey, planned, nowMs }: { captionsKey: string; planned: PlannedSection[]; nowMs: number },
): Promise<boolean> {
  const isOpen = `${IS_CURRENT_RUN} AND EXISTS (SELECT 1 FROM runs WHERE module_id = ?1 AND run = ?2 AND section_count IS NULL)
    AND EXISTS (SELECT 1 FROM modules WHERE id = ?1 AND captions_key = ?3)`
  const bind = (sql: string, ...values: unknown[]) =>
    db.prepare(`${sql} AND ${isOpen}`).bind(id.moduleId, id.run, captionsKey, ...values)
  const rows = JSON.stringify(planned.map((each, section) => ({ ...each, section })))
  const results = await db.batch([
    ...dropAudioTasks(db, id, { isOpen, captionsKey }),
    bind('DELETE FROM sections WHERE module_id = ?1 AND run = ?2'),
    bind(
      `INSERT INTO sections (module_id, run, section, from_position, to_position)
       SELECT ?1, ?2, value->>'section', value->>'fromPosition', value->>'toPosition' FROM json_each(?4) WHERE true`,
      rows,
    ),
    addSectionTasks(db, id, { nowMs }),
    bind(
      `UPDATE runs SET formed_sections = ?4, section_count = ?4, formed_segments = 0, written_sections = 0, outline = NULL
       WHERE module_id = ?1 AND run = ?2`,
      planned.length,
    ),
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
  const [row] = await db.select().from(sections).where(isSection(id, section))
  return row ?? null
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

/** What is stored of a section once its steps are written. */
export interface SectionAnswer extends WrittenSection {
  steps: SectionStep[]
}

/** A section that has been written. */
interface Written {
  /** Null for a section without segments, which no consumer claims. */
  task: RunTask | null
  section: SectionRow
  answer: SectionAnswer
  /** Whether its writer is to be asked for an outline once all sections are written. */
  isOutlined?: boolean
  nowMs: number
}

/**
 * Stores the steps of a section, counts it, settles its task and says how far the run is, in one transaction.
 * @param current as it was when the task was claimed
 * @returns the run and its module as they are then; null when the lease was lost, the section is written already, captions
 *   have come since, or a newer run has begun: no steps and no sums have changed then
 */
export async function storeWritten(
  db: Db,
  current: CurrentRun,
  { task, section, answer, isOutlined = false, nowMs }: Written,
): Promise<CurrentRun | null> {
  const isPlanned = sql`EXISTS (SELECT 1 FROM ${sections} WHERE ${isSection(section, section.section)}
    AND ${sections.status} = 'planned')`
  const isSameCaptions = isOfCaptions(current)
  const isOurs = and(task === null ? undefined : holdsLease(task), isPlanned, isSameCaptions, isRunCurrent(section))
  const [[run], , [module]] = await db.batch([
    db
      .update(runs)
      .set({
        writtenSections: sql`${runs.writtenSections} + 1`,
        ...(isOutlined && { outline: sql`coalesce(${runs.outline}, '')` }),
      })
      .where(and(isRun(section), isOurs))
      .returning(),
    db
      .update(sections)
      .set({ status: 'written', steps: JSON.stringify(answer.steps), isDraft: answer.isDraft })
      .where(and(isSection(section, section.section), isOurs)),
    updateReport(db, current, nowMs),
    ...(task === null ? [] : [settleRunTask(db, task, isSameCaptions)]),
  ])
  return run === undefined || module === undefined ? null : { run, module }
}

/** A section's steps; null before they are written. */
export function readSectionSteps(row: SectionRow): SectionStep[] | null {
  return row.steps === null ? null : (JSON.parse(row.steps) as SectionStep[])
}

/** `?1` module, `?2` list, `?3` run. */
const FENCE = makeFence('?1', '?3')

/** Steps that begin before this always have room: a run's own steps do not overlap, and each has this length at least. */
const ROOM_FOR_ALL_MS = STEP_HARD_LIMITS.maxSteps * MIN_STEP_MS

/**
 * True when the step exists, or one more can be saved at once with the others; otherwise no person could edit them.
 * Counting reads as many rows as can be saved at the most, which costs less than writing a sum each time.
 */
const HAS_ROOM = `(${IS_BY_TIME} AND value->>'startMs' < ${ROOM_FOR_ALL_MS}
  OR EXISTS (SELECT 1 FROM steps AS shown WHERE shown.module_id = ?1 AND shown.id = value->>'id')
  OR key + (SELECT count(*) FROM steps WHERE module_id = ?1) < ${STEP_HARD_LIMITS.maxSteps})`

/**
 * Shows the steps that a run has written so far, as far as there is room. Steps that a person has changed stay, and
 * those that a person has removed do not come back.
 * @returns the new version of the steps; null when the run is not the current one, or works beside steps that are there
 */
export async function showRunSteps(db: D1Database, id: RunId, written: StepToStore[]): Promise<number | null> {
  const isLive = `EXISTS (SELECT 1 FROM runs WHERE module_id = ?1 AND run = ?3 AND is_live)`
  const bind = (sql: string) => db.prepare(sql).bind(id.moduleId, JSON.stringify(written), id.run)
  const results = await db.batch([
    bind(upsertSteps(`${FENCE} AND ${isLive} AND ${HAS_ROOM}`, `iif(${IS_BY_TIME}, value->>'startMs', key)`)),
    bind(`${placeSteps(isAddedNow, STEPS_OF_EDITED)} AND ${FENCE} AND ${isLive}`),
    bind(
      `UPDATE modules SET steps_version = steps_version + 1
       WHERE id = ?1 AND run = ?3 AND run_status = 'PROCESSING' AND ${isLive}
       RETURNING steps_version AS version`,
    ),
  ])
  const [moduleRow] = (results.at(-1)?.results ?? []) as { version: number }[]
  return moduleRow?.version ?? null
}

/** How a run ends well. */
export interface RunEnd extends RunId {
  nowMs: number
  /**
   * The module's captions, reading of its screen and version of the steps when the end was prepared; nothing ends once
   * one of them is another. The version is null where the run's own steps make it grow.
   */
  basedOn: { captionsKey: string | null; screenKey: string | null; stepsVersion: number | null }
  /** What the steps are written from, which becomes the transcript. */
  transcript: { key: string; segmentCount: number }
}

/**
 * What the end is based on: `?4` the captions, since others may have come, `?5` the version of the steps, since a
 * person may have changed some, `?6` what was read from the screen, which a browser does at the same time.
 */
const END_FENCE = `${FENCE} AND EXISTS (SELECT 1 FROM modules
  WHERE id = ?1 AND captions_key IS ?4 AND steps_version = coalesce(?5, steps_version) AND screen_key IS ?6)`

/**
 * Ends a run in one transaction: its steps, its own row, and the module. What the work on it and on earlier runs has left
 * is dropped, unless a later run is to continue from it because the model was busy.
 * @param store statements for the steps, each with the fence
 * @param versions SQL that sets the module's other versions of the steps, after a comma
 */
async function endRun(
  db: D1Database,
  { moduleId, run, nowMs, basedOn, transcript }: RunEnd,
  { written, store, versions }: { written: StepToStore[]; store: string[]; versions: string },
): Promise<boolean> {
  const fence = [basedOn.captionsKey, basedOn.stepsVersion, basedOn.screenKey]
  const bind = (sql: string, ...values: unknown[]) =>
    db.prepare(`${sql} AND ${END_FENCE}`).bind(moduleId, JSON.stringify(written), run, ...fence, ...values)
  const results = await db.batch([
    ...store.map((sql) => bind(sql)),
    bind('DELETE FROM dismissed_steps WHERE module_id = ?1'),
    bind(END_RUNS, nowMs),
    bind(removeTasksUpTo(`?3 - ${IS_BUSY_END}`)),
    ...['audio_chunks', 'sections'].map((table) =>
      bind(`DELETE FROM ${table} WHERE module_id = ?1 AND run <= ?3 - ${IS_BUSY_END}`),
    ),
    db
      .prepare(addTranslateTasks({ languages: '?7', dueMs: '?8', where: `m.id = ?1 AND ${END_FENCE}` }))
      .bind(moduleId, '[]', run, ...fence, LANGUAGES_JSON, nowMs),
    // Captions are a person's own words too, and newer than what was corrected in the transcript before.
    bind(`DELETE FROM transcript_corrections WHERE module_id = ?1 AND EXISTS (SELECT 1 FROM modules
            WHERE id = ?1 AND captions_key IS NOT NULL AND captions_key IS NOT transcript_key)`),
    bind(
      `UPDATE modules SET status = 'READY', run_status = 'READY', progress = 100, message = 'Ready', updated_at = ?7,
              failure_code = iif(${IS_BUSY_END}, 'ai_busy', NULL),
              transcript_run = iif(?4 IS NULL, ?3, ${CAPTIONS_RUN}), transcript_key = ?8, segment_count = ?9, steps_version = steps_version + 1${versions}
       WHERE id = ?1`,
      nowMs,
      transcript.key,
      transcript.segmentCount,
    ),
  ])
  return results.at(-1)?.meta.changes === 1
}

/** The new version of the steps where a run replaces all of them; where they grew, the one that was there. */
const unlessLive = (version: string) =>
  `iif((SELECT is_live FROM runs WHERE module_id = ?1 AND run = ?3), ${version}, steps_version + 1)`

/**
 * Ends a run well: its steps replace the ones that no person has touched, and the module becomes READY, in one
 * transaction. Steps that a person added or changed stay as they are.
 * @returns false when the run is not the current one any more; nothing has changed then
 */
export function commitRunSteps(db: D1Database, runEnd: RunEnd, written: StepToStore[]): Promise<boolean> {
  return endRun(db, runEnd, {
    written,
    store: [
      `DELETE FROM steps WHERE module_id = ?1 AND ${IS_UNTOUCHED} AND id NOT IN (SELECT value->>'id' FROM json_each(?2))`,
      upsertSteps(END_FENCE),
      CHAPTER_TOUCHED,
      placeSteps(isAddedNow),
      'DELETE FROM step_proposals WHERE module_id = ?1',
    ],
    // An editor of an older run's steps gets a version conflict; additions of the run that the editor watched are none.
    versions: `, edited_version = ${unlessLive('edited_version')}, made_version = ${unlessLive('made_version')}`,
  })
}

/**
 * Ends a run well without touching the steps: its own steps are stored as proposals, to be accepted or rejected.
 * @returns false when the run is not the current one any more; nothing has changed then
 */
export function proposeRunSteps(db: D1Database, runEnd: RunEnd, written: StepToStore[]): Promise<boolean> {
  const store = ['DELETE FROM step_proposals WHERE module_id = ?1', `${insertProposals()} WHERE true`]
  return endRun(db, runEnd, { written, store, versions: '' })
}
