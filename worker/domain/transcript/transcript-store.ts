import { asc, count, eq, sql } from 'drizzle-orm'
import type { TranscriptSegment } from '#contract/transcript.ts'
import type { Db } from '#worker/db/db.ts'
import { transcriptSegments } from '#worker/db/schema.ts'

export type SegmentRow = typeof transcriptSegments.$inferSelect

/** A segment before it has its place. */
export interface NewSegment {
  startMs: number
  endMs: number
  text: string
  confidence: number | null
}

/** Where a transcript comes from decides who may replace it: captions always win over recognition. */
export type TranscriptOrigin = { source: 'captions' } | { source: 'speech'; run: number }

/**
 * Replaces the transcript of a module in one transaction.
 * @returns false when it was refused: recognition of an older run, or of a module that has captions by now
 */
export async function replaceTranscript(
  db: D1Database,
  moduleId: string,
  origin: TranscriptOrigin,
  segments: NewSegment[],
): Promise<boolean> {
  const [claimed] = await db.batch([
    claim(db, moduleId, origin),
    // Both look at what the first statement left behind, so a refused replacement touches nothing.
    db
      .prepare(`DELETE FROM transcript_segments WHERE module_id = ?1 AND ${OWNED}`)
      .bind(moduleId, origin.source, runOf(origin)),
    ...splitForInsert(segments).map((list) =>
      db
        .prepare(
          `INSERT INTO transcript_segments (module_id, id, position, start_ms, end_ms, text, confidence)
           SELECT ?1, value->>'id', value->>'position', value->>'startMs', value->>'endMs', value->>'text', value->>'confidence'
           FROM json_each(?4) WHERE ${OWNED}`,
        )
        .bind(moduleId, origin.source, runOf(origin), list),
    ),
  ])
  return (claimed?.meta.changes ?? 0) === 1
}

const OWNED = `EXISTS (SELECT 1 FROM modules WHERE id = ?1 AND transcript_source = ?2 AND (?3 IS NULL OR run = ?3))`

function runOf(origin: TranscriptOrigin): number | null {
  return origin.source === 'speech' ? origin.run : null
}

function claim(db: D1Database, moduleId: string, origin: TranscriptOrigin): D1PreparedStatement {
  if (origin.source === 'captions') {
    return db
      .prepare(`UPDATE modules SET transcript_source = 'captions' WHERE id = ?1 AND deleted_at IS NULL`)
      .bind(moduleId)
  }
  return db
    .prepare(
      `UPDATE modules SET transcript_source = 'speech'
       WHERE id = ?1 AND run = ?2 AND status = 'PROCESSING' AND deleted_at IS NULL
         AND (transcript_source IS NULL OR transcript_source = 'speech')`,
    )
    .bind(moduleId, origin.run)
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

/** Ids tell the place, so the same words get the same ids however often they are stored. */
function place(segment: NewSegment, position: number) {
  return { ...segment, id: `s${String(position).padStart(5, '0')}`, position }
}

/** All segments in time order. */
export function listSegments(db: Db, moduleId: string): Promise<SegmentRow[]> {
  return db
    .select()
    .from(transcriptSegments)
    .where(eq(transcriptSegments.moduleId, moduleId))
    .orderBy(asc(transcriptSegments.position))
}

export async function countSegments(db: Db, moduleId: string): Promise<number> {
  const [row] = await db
    .select({ segments: count() })
    .from(transcriptSegments)
    .where(eq(transcriptSegments.moduleId, moduleId))
  return row?.segments ?? 0
}

/** Everything that was said as one text; empty when nothing is known yet. */
export async function readTranscriptText(db: Db, moduleId: string): Promise<string> {
  const [row] = await db
    .select({ text: sql<string | null>`group_concat(text, ' ')` })
    .from(
      db
        .select({ text: transcriptSegments.text })
        .from(transcriptSegments)
        .where(eq(transcriptSegments.moduleId, moduleId))
        .orderBy(asc(transcriptSegments.position))
        .as('ordered'),
    )
  return row?.text ?? ''
}

export function presentSegment(row: SegmentRow): TranscriptSegment {
  return {
    id: row.id,
    start: row.startMs / 1000,
    end: row.endMs / 1000,
    text: row.text,
    confidence: row.confidence,
  }
}

/** Removes the transcript of a module that is erased. */
export async function removeTranscript(db: Db, moduleId: string): Promise<void> {
  await db.delete(transcriptSegments).where(eq(transcriptSegments.moduleId, moduleId))
}
