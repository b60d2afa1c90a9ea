import { KEEP_CORRECTIONS } from '#worker/domain/transcript/correction-sql.ts'
import type { FormedSegment } from '#worker/domain/transcript/form-segments.ts'
import { IS_CURRENT_RUN, type RunId } from './run-fence.ts'
import { addSectionTasks, dropAudioTasks } from './task-store.ts'

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
 * has been transcribed so far is its transcript. What a person corrected in an earlier run stays corrected where the same text was
 * transcribed again, before a step is written of it.
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
      `INSERT INTO transcript_segments (module_id, id, run, position, start_ms, end_ms, text, confidence)
       SELECT ?1, value->>'id', ?2, value->>'position', value->>'startMs', value->>'endMs', value->>'text',
              value->>'confidence'
       FROM json_each(?4) WHERE ${isNext} ON CONFLICT DO NOTHING`,
      JSON.stringify(segments.map((segment, index) => place(id, segment, fromPosition + index))),
    ),
    bind(`${KEEP_CORRECTIONS} AND position >= ?4 AND ${isNext}`, fromPosition),
    bind(
      `INSERT INTO sections (module_id, run, section, from_position, to_position)
       SELECT ?1, ?2, ?3, ?4, ?5 WHERE ${isNext} ON CONFLICT DO NOTHING`,
      fromPosition,
      toPosition,
    ),
    addSectionTasks(db, id, { nowMs: formed.nowMs, from: section, to: section }),
    bind(
      `UPDATE modules SET transcript_source = 'speech', transcript_run = ?2, updated_at = ?4
       WHERE id = ?1 AND ${isNext}
         AND EXISTS (SELECT 1 FROM runs WHERE module_id = ?1 AND run = ?2 AND is_live)`,
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

/** Ids contain the run and the place, so the same words get the same ids however often they are stored. */
function place(id: RunId, segment: FormedSegment, position: number) {
  return { ...segment, id: `s${id.run}-${String(position).padStart(5, '0')}`, position }
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
