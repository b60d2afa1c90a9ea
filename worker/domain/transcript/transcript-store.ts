import { and, asc, eq, gt, lt, sql } from 'drizzle-orm'
import type { TranscriptSegment } from '#contract/transcript.ts'
import type { Db } from '#worker/db/db.ts'
import { modules, transcriptSegments } from '#worker/db/schema.ts'

/** One line of a transcript. Times are milliseconds; `run` 0 is a line of captions. */
export type SegmentRow = typeof transcriptSegments.$inferSelect

/** A segment before it has its place. */
export interface NewSegment {
  startMs: number
  endMs: number
  text: string
  confidence: number | null
}

/** Whose segments a captioned module shows; runs count from 1. */
const CAPTIONS_RUN = 0

/**
 * Makes captions the transcript of a module, in one transaction, and removes any transcription. A file that is sent
 * again writes only the cues that differ, because D1 bills each row and index, and nothing else is answered meanwhile.
 * @returns false when the module is gone
 */
export async function replaceTranscript(db: D1Database, moduleId: string, segments: NewSegment[]): Promise<boolean> {
  const exists = `EXISTS (SELECT 1 FROM modules WHERE id = ?1)`
  const [claimed] = await db.batch([
    db
      .prepare(`UPDATE modules SET transcript_source = 'captions', transcript_run = ?2 WHERE id = ?1`)
      .bind(moduleId, CAPTIONS_RUN),
    db
      .prepare(`DELETE FROM transcript_segments WHERE module_id = ?1 AND (run <> ?2 OR position >= ?3) AND ${exists}`)
      .bind(moduleId, CAPTIONS_RUN, segments.length),
    ...splitForInsert(segments).map((list) =>
      db
        .prepare(
          `INSERT INTO transcript_segments (module_id, id, run, position, start_ms, end_ms, text, confidence)
           SELECT ?1, value->>'id', ?2, value->>'position', value->>'startMs', value->>'endMs', value->>'text', value->>'confidence'
           FROM json_each(?3) WHERE ${exists}
           ON CONFLICT (module_id, id) DO UPDATE SET start_ms = excluded.start_ms, end_ms = excluded.end_ms,
             text = excluded.text, confidence = excluded.confidence, transcribed_text = NULL, edited_at = NULL
           WHERE edited_at IS NOT NULL OR (start_ms, end_ms, text, confidence)
             IS NOT (excluded.start_ms, excluded.end_ms, excluded.text, excluded.confidence)`,
        )
        .bind(moduleId, CAPTIONS_RUN, list),
    ),
  ])
  return (claimed?.meta.changes ?? 0) === 1
}

/** D1 takes strings of up to 2 MB, and one UTF-16 unit may be three bytes there. */
const INSERT_MAX_CHARS = 600_000

/** Segments as JSON lists, each small enough to be bound to a statement. */
function splitForInsert(segments: NewSegment[]): string[] {
  const lists: string[][] = [[]]
  let chars = 0
  for (const segment of segments.map((each, position) => JSON.stringify(place(each, position)))) {
    chars += segment.length + 1
    if (chars > INSERT_MAX_CHARS) {
      lists.push([])
      chars = segment.length
    }
    lists.at(-1)?.push(segment)
  }
  return lists.map((list) => `[${list.join(',')}]`)
}

/** Ids encode the position, so the same words get the same ids however often they are stored. */
function place(segment: NewSegment, position: number) {
  return { ...segment, id: `c-${String(position).padStart(5, '0')}`, position }
}

/** The segments that are the module's transcript; those of a run that is still at work beside it are not. */
function isTranscript(moduleId: string) {
  return and(
    eq(transcriptSegments.moduleId, moduleId),
    sql`${transcriptSegments.run} = (SELECT ${modules.transcriptRun} FROM ${modules} WHERE ${modules.id} = ${moduleId})`,
  )
}

/** The query for all segments of the transcript in time order. */
export function selectSegments(db: Db, moduleId: string) {
  return db.select().from(transcriptSegments).where(isTranscript(moduleId)).orderBy(asc(transcriptSegments.position))
}

/** All segments of the transcript in time order. */
export async function listSegments(db: Db, moduleId: string): Promise<SegmentRow[]> {
  return selectSegments(db, moduleId)
}

/**
 * Transcripts of several modules, by module, in time order.
 * @param of their rows, which may lie among the deleted ones
 */
export async function listTranscriptsOf(
  db: Db,
  of: readonly { id: string; transcriptRun: number | null }[],
): Promise<Map<string, SegmentRow[]>> {
  const asked = JSON.stringify(of.map(({ id, transcriptRun }) => ({ id, run: transcriptRun })))
  const rows = await db
    .select()
    .from(transcriptSegments)
    .where(
      sql`(${transcriptSegments.moduleId}, ${transcriptSegments.run}) IN
        (SELECT value->>'id', value->>'run' FROM json_each(${asked}))`,
    )
    .orderBy(asc(transcriptSegments.position))
  return Map.groupBy(rows, ({ moduleId }) => moduleId)
}

/** Segments up to before a position, from so long before another one on. */
interface SegmentSpan {
  toPosition: number
  within: { position: number; beforeMs: number }
}

/** Segments of one run (0: captions) in time order, shown or not. */
export function listSegmentsOf(
  db: Db,
  of: { moduleId: string; run: number },
  span: SegmentSpan,
): Promise<SegmentRow[]> {
  const { position, beforeMs } = span.within
  const beforeSpan = sql`coalesce((SELECT earlier.position FROM transcript_segments AS earlier
    WHERE earlier.module_id = ${of.moduleId} AND earlier.run = ${of.run} AND earlier.position < ${position}
      AND earlier.start_ms < (SELECT start_ms FROM transcript_segments AS first
        WHERE first.module_id = ${of.moduleId} AND first.run = ${of.run} AND first.position = ${position}) - ${beforeMs}
    ORDER BY earlier.position DESC LIMIT 1), -1)`
  return db
    .select()
    .from(transcriptSegments)
    .where(
      and(
        eq(transcriptSegments.moduleId, of.moduleId),
        eq(transcriptSegments.run, of.run),
        lt(transcriptSegments.position, span.toPosition),
        // Found from the position backwards: by their times, all segments from the first one on would be read.
        gt(transcriptSegments.position, beforeSpan),
      ),
    )
    .orderBy(asc(transcriptSegments.position))
}

/** Lists all lines of one run (0: captions), with the transcribed text where a person has corrected them. */
export function listLinesOf(
  db: Db,
  of: { moduleId: string; run: number },
): Promise<Pick<SegmentRow, 'id' | 'text' | 'transcribedText'>[]> {
  const { id, text, transcribedText } = transcriptSegments
  return db
    .select({ id, text, transcribedText })
    .from(transcriptSegments)
    .where(and(eq(transcriptSegments.moduleId, of.moduleId), eq(transcriptSegments.run, of.run)))
}

/** The query for how many segments the transcript has so far. Positions have no gaps, so the last one is the count. */
export function selectSegmentCount(db: Db, moduleId: string) {
  const segments = sql<number>`coalesce(max(${transcriptSegments.position}) + 1, 0)`
  return db.select({ segments }).from(transcriptSegments).where(isTranscript(moduleId))
}

/** Counts the segments that are stored of a module, of whichever run. */
export async function countStoredSegments(d1: D1Database, moduleId: string): Promise<number> {
  const sql = 'SELECT count(*) AS segments FROM transcript_segments WHERE module_id = ?1'
  return (await d1.prepare(sql).bind(moduleId).first<number>('segments')) ?? 0
}

/** Everything that was said as one text; empty when nothing is known yet. */
export async function readTranscriptText(db: Db, moduleId: string): Promise<string> {
  const [row] = await db
    .select({ text: sql<string | null>`group_concat(text, ' ')` })
    .from(
      db
        .select({ text: transcriptSegments.text })
        .from(transcriptSegments)
        .where(isTranscript(moduleId))
        .orderBy(asc(transcriptSegments.position))
        .as('ordered'),
    )
  return row?.text ?? ''
}

/** A line as it goes over the wire: seconds, and whether a person has corrected it. */
export function presentSegment(row: SegmentRow): TranscriptSegment {
  return {
    id: row.id,
    start: row.startMs / 1000,
    end: row.endMs / 1000,
    text: row.text,
    confidence: row.confidence,
    isEdited: row.editedAt !== null,
  }
}

/** Removes the transcript of a module that is erased. */
export async function removeTranscript(db: Db, moduleId: string): Promise<void> {
  await db.delete(transcriptSegments).where(eq(transcriptSegments.moduleId, moduleId))
}

/**
 * Gives segments of the run `?2` of the module `?1` what a person made of the same words in an earlier run: the times
 * overlap, and the transcribed text is the same. A condition may follow.
 */
export const KEEP_CORRECTIONS = `
  UPDATE transcript_segments SET transcribed_text = transcript_segments.text, text = mine.text, edited_at = mine.edited_at
  FROM (SELECT transcribed_text, text, start_ms, end_ms, edited_at FROM transcript_segments
        WHERE module_id = ?1 AND run NOT IN (?2, 0) AND edited_at IS NOT NULL ORDER BY edited_at) AS mine
  WHERE transcript_segments.module_id = ?1 AND transcript_segments.run = ?2 AND transcript_segments.edited_at IS NULL
    AND transcript_segments.text = mine.transcribed_text
    AND transcript_segments.start_ms < mine.end_ms AND transcript_segments.end_ms > mine.start_ms`

/**
 * True for a corrected segment of another run for which the transcript of the module `?1` has no line with the same
 * text at the same time: the correction found no place.
 * @param transcriptRun SQL for the run whose segments are the transcript
 */
export const isOrphaned = (transcriptRun: string) => `
  transcript_segments.edited_at IS NOT NULL AND transcript_segments.run <> ${transcriptRun}
  AND NOT EXISTS (
    SELECT 1 FROM transcript_segments AS kept WHERE kept.module_id = ?1 AND kept.run = ${transcriptRun}
      AND kept.text = transcript_segments.text
      AND kept.start_ms < transcript_segments.end_ms AND kept.end_ms > transcript_segments.start_ms)`

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
