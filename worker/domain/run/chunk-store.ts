import { and, asc, between, count, desc, eq, getTableColumns, getTableName, isNotNull, lt, sql } from 'drizzle-orm'
import type { SQLiteTable } from 'drizzle-orm/sqlite-core'
import type { Db } from '#worker/db/db.ts'
import { audioChunks, runs, sections } from '#worker/db/schema.ts'
import { removeObjects } from '#worker/domain/media/remove-objects.ts'
import type { SpeechResult, TranscribedWord } from '#worker/ports/speech-to-text.ts'
import { isRunCurrent, type RunId } from './current-run.ts'
import { updateReport } from './report-run.ts'
import { type CurrentRun, isRun } from './run-store.ts'
import { addChunkTasks, holdsLease, settleTask, type Task } from './task-store.ts'

/** Where the audio lies that was cut for a module, until its run has ended well. */
export function chunksOf(moduleId: string): string {
  return `chunks/${moduleId}/`
}

/** Where one chunk of it lies. */
export function chunkKey(of: { moduleId: string; run: number; chunk: number }): string {
  return `${chunksOf(of.moduleId)}${of.run}/${of.chunk}`
}

/** Removes the audio that was cut for a run and those before it: a later one may begin as soon as this one has ended. */
export function removeAudio(bucket: R2Bucket, { moduleId, run }: RunId): Promise<void> {
  return removeObjects(bucket, chunksOf(moduleId), (name) => Number.parseInt(name, 10) <= run)
}

/** A chunk of the audio of one run: where it lies, and its words once it is transcribed. */
export type ChunkRow = typeof audioChunks.$inferSelect
/** A chunk as it is cut, before anybody has listened. */
export type NewChunk = typeof audioChunks.$inferInsert

function isOfRun(id: RunId) {
  return and(eq(audioChunks.moduleId, id.moduleId), eq(audioChunks.run, id.run))
}

/** Stores the audio chunks of the JSON list `?3` for the run `?2` of the module `?1`. A condition may follow. */
export const INSERT_CHUNKS = `
  INSERT INTO audio_chunks (module_id, run, chunk, key, content_type, audio_start_ms, audio_duration_ms, size_bytes,
                            etag, start_ms, end_ms)
  SELECT ?1, ?2, value->>'chunk', value->>'key', value->>'contentType', value->>'audioStartMs',
         value->>'audioDurationMs', value->>'sizeBytes', value->>'etag', value->>'startMs', value->>'endMs'
  FROM json_each(?3) WHERE true`

/** Writes audio chunks with the tasks of transcribing them; what is there stays as it is, so a second call does no harm. */
export async function insertChunks(
  d1: D1Database,
  id: RunId,
  { chunks, nowMs }: { chunks: NewChunk[]; nowMs: number },
) {
  const numbers = chunks.map(({ chunk }) => chunk)
  await d1.batch([
    d1.prepare(`${INSERT_CHUNKS} ON CONFLICT DO NOTHING`).bind(id.moduleId, id.run, JSON.stringify(chunks)),
    addChunkTasks(d1, id, { nowMs, from: Math.min(...numbers), to: Math.max(...numbers) }),
  ])
}

/** @returns null when there is no such chunk */
export async function findChunk(db: Db, id: RunId, chunk: number): Promise<ChunkRow | null> {
  return (await db.query.audioChunks.findFirst({ where: and(isOfRun(id), eq(audioChunks.chunk, chunk)) })) ?? null
}

/** Chunks `first` to `last`, those that exist, in time order. */
export function listChunksBetween(db: Db, id: RunId, first: number, last: number): Promise<ChunkRow[]> {
  return db
    .select()
    .from(audioChunks)
    .where(and(isOfRun(id), between(audioChunks.chunk, first, last)))
    .orderBy(asc(audioChunks.chunk))
}

/** How many of the chunks `first` to `last` are transcribed. */
export async function countTranscribedBetween(db: Db, id: RunId, first: number, last: number): Promise<number> {
  const [row] = await db
    .select({ chunks: count() })
    .from(audioChunks)
    .where(and(isOfRun(id), between(audioChunks.chunk, first, last), eq(audioChunks.status, 'transcribed')))
  return row?.chunks ?? 0
}

/** Chunks that begin before `cursorMs`: the index of the next one to cut. Reads the last of them, however many there are. */
export async function countChunksBefore(db: Db, id: RunId, cursorMs: number): Promise<number> {
  const [last] = await db
    .select({ chunk: audioChunks.chunk })
    .from(audioChunks)
    .where(and(isOfRun(id), lt(audioChunks.startMs, cursorMs)))
    .orderBy(desc(audioChunks.chunk))
    .limit(1)
  return last === undefined ? 0 : last.chunk + 1
}

/** How many chunks have which language, most first; chunks of unknown language are left out. */
export function countLanguages(db: Db, id: RunId): Promise<{ language: string | null; chunks: number }[]> {
  return db
    .select({ language: audioChunks.language, chunks: count() })
    .from(audioChunks)
    .where(and(isOfRun(id), isNotNull(audioChunks.language)))
    .groupBy(audioChunks.language)
    .orderBy(desc(count()), asc(audioChunks.language))
}

/** Words of a transcribed chunk, relative to its audio; empty before. */
export function readWords(chunk: ChunkRow): TranscribedWord[] {
  return chunk.words === null ? [] : (JSON.parse(chunk.words) as TranscribedWord[])
}

/**
 * Opens the object of an audio chunk that was checked when it arrived: addresses that were handed out take another PUT
 * for a quarter of an hour.
 * @returns null when nothing is there; an object without a body when another one has taken its place
 */
export function openAudioChunk(
  bucket: R2Bucket,
  { key, etag }: Pick<ChunkRow, 'key' | 'etag'>,
): Promise<R2ObjectBody | R2Object | null> {
  return etag === null ? bucket.get(key) : bucket.get(key, { onlyIf: { etagMatches: etag } })
}

/**
 * Stores the words of an audio chunk, adds them to the sums of its run, settles its task and says how far the run is, in
 * one transaction.
 * @returns the run and its module as they are then; null when the lease was lost, or a newer run has begun: nothing has
 *   changed then
 */
export async function storeTranscribed(
  db: Db,
  current: CurrentRun,
  { task, chunk, result, nowMs }: { task: Task; chunk: ChunkRow; result: SpeechResult; nowMs: number },
): Promise<CurrentRun | null> {
  const lengthMs = chunk.endMs - chunk.startMs
  const wordCount = result.words.length
  const isOurs = and(holdsLease(task), isRunCurrent(chunk))
  const [[run], , [module]] = await db.batch([
    db
      .update(runs)
      .set({
        transcribedCount: sql`${runs.transcribedCount} + 1`,
        transcribedMs: sql`${runs.transcribedMs} + ${lengthMs}`,
        spokenMs: sql`${runs.spokenMs} + ${wordCount > 0 ? lengthMs : 0}`,
        wordCount: sql`${runs.wordCount} + ${wordCount}`,
        confidenceSum: sql`${runs.confidenceSum} + ${(result.confidence ?? 1) * wordCount}`,
      })
      .where(and(isRun(chunk), isOurs))
      .returning(),
    db
      .update(audioChunks)
      .set({
        status: 'transcribed',
        words: JSON.stringify(result.words),
        confidence: result.confidence,
        language: result.language,
        transcribedAt: nowMs,
      })
      .where(
        and(
          eq(audioChunks.moduleId, chunk.moduleId),
          eq(audioChunks.run, chunk.run),
          eq(audioChunks.chunk, chunk.chunk),
          isOurs,
        ),
      ),
    updateReport(db, current, nowMs),
    settleTask(db, task),
  ])
  return run === undefined || module === undefined ? null : { run, module }
}

/** D1 binds every number as a real one, which would be written "1.0". */
const wholeOf = (number: string) => `CAST(${number} AS INTEGER)`
/** What a copied row has of the new run `?3` instead of the old one `?2`: ids of segments hold the number of their run. */
const COPIED: Record<string, string> = {
  run: '?3',
  steps: `replace(steps, '"s' || ${wholeOf('?2')} || '-', '"s' || ${wholeOf('?3')} || '-')`,
}

/** Copies the rows that a table holds of the run `?2` to the run `?3`. A condition may follow. */
function copyRows(table: SQLiteTable): string {
  const names = Object.values(getTableColumns(table)).map(({ name }) => name)
  return `INSERT INTO ${getTableName(table)} (${names.join(', ')})
    SELECT ${names.map((name) => COPIED[name] ?? name).join(', ')} FROM ${getTableName(table)}
    WHERE module_id = ?1 AND run = ?2`
}

/**
 * Copies what another run of the same module cut, transcribed and wrote, so that a new run continues from there. Its sums are
 * recomputed, and segments get the new run's names. Nothing happens where the new run has chunks already.
 */
export async function copyWork(
  db: D1Database,
  ids: { moduleId: string; from: number; to: number; nowMs: number },
): Promise<void> {
  const bind = (sql: string) => db.prepare(sql).bind(ids.moduleId, ids.from, ids.to)
  await db.batch([
    bind(`${copyRows(audioChunks)} ON CONFLICT DO NOTHING`),
    bind(`${copyRows(sections)} AND status = 'written' AND is_draft = 0 ON CONFLICT DO NOTHING`),
    addChunkTasks(db, { moduleId: ids.moduleId, run: ids.to }, { nowMs: ids.nowMs }),
    bind(
      `UPDATE runs SET
         (cursor_ms, chunk_count) = (SELECT cursor_ms, chunk_count FROM runs WHERE module_id = ?1 AND run = ?2),
         (transcribed_count, transcribed_ms, spoken_ms, word_count, confidence_sum) = (
           SELECT count(*), coalesce(sum(end_ms - start_ms), 0),
                  coalesce(sum(CASE WHEN words = '[]' THEN 0 ELSE end_ms - start_ms END), 0),
                  coalesce(sum(json_array_length(words)), 0),
                  coalesce(sum(coalesce(confidence, 1) * json_array_length(words)), 0)
           FROM audio_chunks WHERE module_id = ?1 AND run = ?3 AND status = 'transcribed'),
         written_sections = (SELECT count(*) FROM sections WHERE module_id = ?1 AND run = ?3)
       WHERE module_id = ?1 AND run = ?3`,
    ),
  ])
}
