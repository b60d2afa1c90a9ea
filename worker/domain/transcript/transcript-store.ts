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
