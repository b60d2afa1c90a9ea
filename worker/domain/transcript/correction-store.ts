import { isOrphaned } from './correction-sql.ts'
import type { SegmentRow } from './transcript-store.ts'

/** One line that a person has corrected. */
export interface SegmentEdit {
  id: string
  text: string
  /** The text that the line has to have still. */
  was: string
}

/** Corrections as they are stored, all of them or none. */
export interface CorrectionsToStore {
  moduleId: string
  edits: readonly SegmentEdit[]
  /** The module's glossary before and after; the same where nothing is added. */
  glossary: { was: string | null; text: string | null }
  nowMs: number
}

/**
 * True while every line is as the corrections found it, and no run processes the module. `?1` is the module, `?2`
 * the corrections.
 */
const FITS = `EXISTS (SELECT 1 FROM modules WHERE id = ?1 AND status <> 'PROCESSING')
  AND NOT EXISTS (
    SELECT 1 FROM json_each(?2) AS edit
    LEFT JOIN transcript_segments AS line ON line.module_id = ?1 AND line.id = edit.value->>'id'
    WHERE line.text IS NOT edit.value->>'was')`

/**
 * Stores corrections in one transaction, with the quotes that depend on them. A line that is set back to its
 * transcribed text counts as not corrected. Steps get a new version, which does not count as a person's edit.
 * @param quotes statements for quotes, each to be made conditional
 * @returns false when a line has changed meanwhile, or a run has begun; nothing has changed then
 */
export async function storeCorrections(
  db: D1Database,
  { moduleId, edits, glossary, nowMs }: CorrectionsToStore,
  quotes: (
    condition: string,
    bind: (sql: string, ...values: unknown[]) => D1PreparedStatement,
  ) => D1PreparedStatement[],
): Promise<boolean> {
  const bind = (sql: string, ...values: unknown[]) => db.prepare(sql).bind(moduleId, JSON.stringify(edits), ...values)
  const results = await db.batch([
    ...quotes(FITS, bind),
    bind(
      `UPDATE modules SET steps_version = steps_version + CASE WHEN json_array_length(?2) > 0 THEN 1 ELSE 0 END,
              glossary = CASE WHEN glossary IS ?3 THEN ?4 ELSE glossary END
       WHERE id = ?1 AND ${FITS}`,
      glossary.was,
      glossary.text,
    ),
    // Last, since it ends what the condition looks at.
    bind(
      `UPDATE transcript_segments SET text = edit.value->>'text',
              transcribed_text = CASE WHEN transcribed_text IS edit.value->>'text' THEN NULL ELSE coalesce(transcribed_text, text) END,
              edited_at = CASE WHEN transcribed_text IS edit.value->>'text' THEN NULL ELSE ?3 END
       FROM json_each(?2) AS edit
       WHERE transcript_segments.module_id = ?1 AND transcript_segments.id = edit.value->>'id' AND ${FITS}`,
      nowMs,
    ),
  ])
  return (results.at(-1)?.meta.changes ?? 0) === edits.length && (results.at(-2)?.meta.changes ?? 0) === 1
}

const TRANSCRIPT_RUN = '(SELECT transcript_run FROM modules WHERE id = ?1)'

/** Corrections of earlier runs that found no place in the transcript as it is now, in time order. */
export async function listOrphanedCorrections(
  db: D1Database,
  moduleId: string,
): Promise<Pick<SegmentRow, 'id' | 'startMs' | 'endMs' | 'text' | 'transcribedText'>[]> {
  const { results } = await db
    .prepare(
      `SELECT id, start_ms AS startMs, end_ms AS endMs, text, transcribed_text AS transcribedText FROM transcript_segments
       WHERE module_id = ?1 AND ${isOrphaned(TRANSCRIPT_RUN)} ORDER BY start_ms, id`,
    )
    .bind(moduleId)
    .all<Pick<SegmentRow, 'id' | 'startMs' | 'endMs' | 'text' | 'transcribedText'>>()
  return results
}

/** Forgets the corrections that found no place. Those of a run that is at work may still find one. */
export async function removeOrphanedCorrections(db: D1Database, moduleId: string): Promise<void> {
  await db
    .prepare(
      `DELETE FROM transcript_segments WHERE module_id = ?1 AND ${isOrphaned(TRANSCRIPT_RUN)}
         AND EXISTS (SELECT 1 FROM modules WHERE id = ?1 AND status <> 'PROCESSING')`,
    )
    .bind(moduleId)
    .run()
}
