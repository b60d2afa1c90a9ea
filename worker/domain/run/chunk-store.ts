import { and, asc, between, count, countDistinct, desc, eq, isNotNull, isNull, lt, sql } from 'drizzle-orm'
import type { ClientAudioChunk } from '#contract/upload.ts'
import { audioChunks } from '#worker/db/chunk-tables.ts'
import type { Db } from '#worker/db/db.ts'
import { runs } from '#worker/db/schema.ts'
import type { PlannedChunk } from '#worker/domain/media/planned-chunk.ts'
import { removeObjects } from '#worker/domain/media/remove-objects.ts'
import { meanConfidence } from '#worker/domain/transcript/mean-confidence.ts'
import { type Answers, writeAnswers } from '#worker/domain/transcript/remember-answers.ts'
import type { SpeechResult, TranscribedWord } from '#worker/ports/speech-to-text.ts'
import { holdsLease } from '#worker/tasks/task-store.ts'
import { IS_CURRENT_RUN, isRunCurrent, type RunId } from './fence.ts'
import { type CurrentRun, isRun, updateReport } from './run-store.ts'
import type { RunTask } from './run-subject.ts'
import { addChunkTasks, addIngestTask, REOPEN_CHUNK_TASKS, settleRunTask } from './run-task-store.ts'

/** Key prefix of the audio that was cut for a module, stored until its run has ended well. */
export function chunksOf(moduleId: string): string {
  return `chunks/${moduleId}/`
}

/** The key of one chunk, or of what was answered in a trial of tracks that failed. */
export function chunkKey(of: { moduleId: string; run: number; chunk: number | 'trial' }): string {
  return `${chunksOf(of.moduleId)}${of.run}/${of.chunk}`
}

/** Removes the audio that was cut for a run and those before it: a later one may begin as soon as this one has ended. */
export function removeAudio(bucket: R2Bucket, { moduleId, run }: RunId): Promise<void> {
  return removeObjects(bucket, chunksOf(moduleId), (name) => Number.parseInt(name, 10) <= run)
}

/** A chunk of a run's audio: its key, and its words once it is transcribed. */
export type ChunkRow = typeof audioChunks.$inferSelect
/** A chunk before it is transcribed. */
export type NewChunk = typeof audioChunks.$inferInsert

function isOfRun(id: RunId) {
  return and(eq(audioChunks.moduleId, id.moduleId), eq(audioChunks.run, id.run))
}

function isChunk(id: RunId, chunk: number) {
  return and(isOfRun(id), eq(audioChunks.chunk, chunk))
}

/** Stores the audio chunks of the JSON list `?3` for the run `?2` of the module `?1`. A condition may follow. */
export const INSERT_CHUNKS = `
  INSERT INTO audio_chunks (module_id, run, chunk, key, content_type, audio_start_ms, audio_duration_ms, size_bytes,
                            etag, start_ms, end_ms, parts)
  SELECT ?1, ?2, value->>'chunk', value->>'key', value->>'contentType', value->>'audioStartMs',
         value->>'audioDurationMs', value->>'sizeBytes', value->>'etag', value->>'startMs', value->>'endMs',
         coalesce(value->'parts', '[]')
  FROM json_each(?3) WHERE true`

/** Writes audio chunks with the tasks of transcribing them; a second call changes nothing. */
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
  return (await db.select().from(audioChunks).where(isChunk(id, chunk)).get()) ?? null
}

/** Chunks `first` to `last`, those that exist, in time order. */
export function listChunksBetween(db: Db, id: RunId, first: number, last: number): Promise<ChunkRow[]> {
  return db
    .select()
    .from(audioChunks)
    .where(and(isOfRun(id), between(audioChunks.chunk, first, last)))
    .orderBy(asc(audioChunks.chunk))
}

/** How many of the chunks `first` to `last` are transcribed, and in how many languages. */
export async function countTranscribedBetween(
  db: Db,
  id: RunId,
  first: number,
  last: number,
): Promise<{ chunks: number; languages: number }> {
  const isBetween = between(audioChunks.chunk, first, last)
  const [counted] = await db
    .select({ chunks: count(), languages: countDistinct(audioChunks.language) })
    .from(audioChunks)
    .where(and(isOfRun(id), isBetween, eq(audioChunks.status, 'transcribed')))
  return counted ?? { chunks: 0, languages: 0 }
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

/** How many chunks are transcribed in which language, most first; chunks of unknown language are left out. */
export function countLanguages(db: Db, id: RunId): Promise<{ language: string | null; chunks: number }[]> {
  return db
    .select({ language: audioChunks.language, chunks: count() })
    .from(audioChunks)
    .where(and(isOfRun(id), eq(audioChunks.status, 'transcribed'), isNotNull(audioChunks.language)))
    .groupBy(audioChunks.language)
    .orderBy(desc(count()), asc(audioChunks.language))
}

/** Recomputes the sums of a run of the module `?1` over its transcribed chunks, for `SET`. @param run its parameter */
export const sumTranscribed = (run: string) => `
  (transcribed_count, transcribed_ms, word_count, confidence_sum) = (
    SELECT count(*), coalesce(sum(end_ms - start_ms), 0),
           coalesce(sum(json_array_length(words)), 0),
           coalesce(sum(coalesce(confidence, 1) * json_array_length(words)), 0)
    FROM audio_chunks WHERE module_id = ?1 AND run = ${run} AND status = 'transcribed')`

/**
 * Settles the language of a module, and plans the chunks again that are transcribed in another one and whose words no
 * section has yet. They keep their first answer until the second is there.
 * @param chunk the only one to plan again, where the language is settled already; left out where it is not
 * @returns how many chunks are planned again
 */
export async function planOtherLanguages(
  d1: D1Database,
  { moduleId, run }: RunId,
  { language, chunk, nowMs }: { language: string; chunk?: number; nowMs: number },
): Promise<number> {
  const bind = (sql: string, ...values: unknown[]) =>
    d1
      .prepare(`${sql} AND ${IS_CURRENT_RUN} AND (SELECT captions_key FROM modules WHERE id = ?1) IS NULL`)
      .bind(moduleId, run, ...values)
  const ofRun = 'module_id = ?1 AND run = ?2'
  const [planned] = await d1.batch([
    bind(
      `UPDATE audio_chunks SET status = 'planned'
       WHERE ${ofRun} AND status = 'transcribed' AND language <> ?3
         AND iif(?4 IS NULL, (SELECT language FROM modules WHERE id = ?1) IS NULL, chunk = ?4)
         AND end_ms > (SELECT formed_until_ms FROM runs WHERE ${ofRun})`,
      language,
      chunk ?? null,
    ),
    bind(REOPEN_CHUNK_TASKS, nowMs),
    bind(`UPDATE runs SET ${sumTranscribed('?2')} WHERE ${ofRun}`),
    bind('UPDATE modules SET language = coalesce(language, ?3), updated_at = ?4 WHERE id = ?1', language, nowMs),
  ])
  return planned?.meta.changes ?? 0
}

/** Words of a transcribed chunk, relative to its audio; empty before. */
export function readWords(chunk: ChunkRow): TranscribedWord[] {
  return chunk.words === null ? [] : (JSON.parse(chunk.words) as TranscribedWord[])
}

/**
 * Keeps what was answered for pieces of a chunk, so that the next attempt asks for the others only. Nothing changes where
 * {@link storeTranscribed} would change nothing.
 */
export async function keepAnswers(db: Db, task: RunTask, chunk: ChunkRow, answers: Answers): Promise<void> {
  const isOurs = and(eq(audioChunks.status, 'planned'), holdsLease(task), isRunCurrent(chunk))
  await db
    .update(audioChunks)
    .set({ voices: writeAnswers(answers) })
    .where(and(isChunk(chunk, chunk.chunk), isOurs))
}

/**
 * Stores the words of an audio chunk, adds them to the sums of its run, settles its task and says how far the run is, in
 * one transaction.
 * @returns the run and its module as they are then; null when the lease was lost, the chunk is transcribed already, or a
 *   newer run has begun: no words and no sums have changed then
 */
export async function storeTranscribed(
  db: Db,
  current: CurrentRun,
  { task, chunk, result, nowMs }: { task: RunTask; chunk: ChunkRow; result: SpeechResult; nowMs: number },
): Promise<CurrentRun | null> {
  const lengthMs = chunk.endMs - chunk.startMs
  const wordCount = result.words.length
  const confidence = meanConfidence(result.words)
  const isPlanned = sql`EXISTS (SELECT 1 FROM ${audioChunks}
    WHERE ${isChunk(chunk, chunk.chunk)} AND ${audioChunks.status} = 'planned')`
  const isOurs = and(holdsLease(task), isPlanned, isRunCurrent(chunk))
  const [[run], , [module]] = await db.batch([
    db
      .update(runs)
      .set({
        transcribedCount: sql`${runs.transcribedCount} + 1`,
        transcribedMs: sql`${runs.transcribedMs} + ${lengthMs}`,
        wordCount: sql`${runs.wordCount} + ${wordCount}`,
        confidenceSum: sql`${runs.confidenceSum} + ${(confidence ?? 1) * wordCount}`,
      })
      .where(and(isRun(chunk), isOurs))
      .returning(),
    db
      .update(audioChunks)
      .set({
        status: 'transcribed',
        words: JSON.stringify(result.words),
        voices: null,
        confidence,
        language: result.language,
        transcribedAt: nowMs,
      })
      .where(and(isChunk(chunk, chunk.chunk), isOurs)),
    updateReport(db, current, nowMs),
    settleRunTask(db, task),
  ])
  return run === undefined || module === undefined ? null : { run, module }
}

/**
 * Remembers how far the source has been cut, settles the slice's task and adds that of the next slice, in one
 * transaction; `chunkCount` once the end was reached.
 * @param fromMs the cursor that the slice began at
 * @returns false when the lease was lost, or a newer run has begun: nothing has changed then
 */
export async function moveCursor(
  db: Db,
  task: RunTask,
  { fromMs, nowMs, ...to }: Record<'fromMs' | 'cursorMs' | 'chunkCount', number | null> & { nowMs: number },
): Promise<boolean> {
  const isThere = fromMs === null ? isNull(runs.cursorMs) : eq(runs.cursorMs, fromMs)
  const next = addIngestTask(db, task, { index: task.index + 1, nowMs })
  const [moved] = await db.batch([
    db
      .update(runs)
      .set(to)
      .where(and(isRun(task), isThere, isNull(runs.chunkCount), holdsLease(task), isRunCurrent(task))),
    ...(to.chunkCount === null ? [next] : []),
    settleRunTask(db, task),
  ])
  return moved.meta.changes === 1
}

/** `?1` module, `?2` run: true while a browser's audio is of use, which it is until the video has arrived. */
const IS_WANTED = `EXISTS (SELECT 1 FROM modules WHERE id = ?1 AND run = ?2 AND run_status = 'PROCESSING' AND source_etag IS NULL AND captions_key IS NULL)
  AND EXISTS (SELECT 1 FROM runs WHERE module_id = ?1 AND run = ?2 AND audio_from = 'browser' AND ended_at IS NULL)`

/** A chunk with the ETag of the object that was found for it; nothing is taken of a chunk without one. */
export type StoredAudioChunk = ClientAudioChunk & { etag: string | null }

/** Audio that a browser has cut and put into the bucket. */
export interface ClientAudio {
  durationMs: number
  chunks: StoredAudioChunk[]
  chunkCount: number | null
}

/**
 * Plans the chunks of a browser's audio, and lists their module. What was planned before stays as it is.
 * @returns false when the audio is of no use any more, and nothing has been taken
 */
export async function takeClientAudio(
  d1: D1Database,
  id: RunId,
  { durationMs, chunks, chunkCount, nowMs }: ClientAudio & { nowMs: number },
): Promise<boolean> {
  const bind = (sql: string, ...values: unknown[]) => d1.prepare(sql).bind(id.moduleId, id.run, ...values)
  const rows = JSON.stringify(chunks.map((chunk) => ({ ...chunk, key: chunkKey({ ...id, chunk: chunk.chunk }) })))
  const numbers = chunks.map(({ chunk }) => chunk)
  const results = await d1.batch([
    bind(`${INSERT_CHUNKS} AND value->>'etag' IS NOT NULL AND ${IS_WANTED} ON CONFLICT DO NOTHING`, rows),
    addChunkTasks(d1, id, { nowMs, from: Math.min(Number.MAX_SAFE_INTEGER, ...numbers), to: Math.max(-1, ...numbers) }),
    bind(
      `UPDATE runs SET chunk_count = coalesce(chunk_count, ?3) WHERE module_id = ?1 AND run = ?2 AND ${IS_WANTED}`,
      chunkCount,
    ),
    bind(
      `UPDATE modules SET duration_ms = coalesce(duration_ms, ?3), received_at = coalesce(received_at, ?4),
              updated_at = ?4, redrives = 0
       WHERE id = ?1 AND ${IS_WANTED}`,
      durationMs,
      nowMs,
    ),
  ])
  return results.at(-1)?.meta.changes === 1
}

/** All chunks of a run's audio, planned or transcribed, in order. */
export function listPlannedChunks(db: Db, id: RunId): Promise<PlannedChunk[]> {
  const { chunk, key, contentType, audioStartMs, audioDurationMs, sizeBytes, etag, startMs, endMs, parts } = audioChunks
  return db
    .select({ chunk, key, contentType, audioStartMs, audioDurationMs, sizeBytes, etag, startMs, endMs, parts })
    .from(audioChunks)
    .where(isOfRun(id))
    .orderBy(asc(audioChunks.chunk))
}

/**
 * Notes that a browser's audio is the video's, and where the server is to go on cutting it; from then on the run is
 * like any other. Settles the task of comparing, and adds that of the first slice where there is more to cut.
 */
export async function confirmAudio(
  db: Db,
  task: RunTask,
  to: { cursorMs: number | null; chunkCount: number | null; nowMs: number },
): Promise<void> {
  const { nowMs, ...place } = to
  const confirm = db
    .update(runs)
    .set({ isVerified: true, ...place })
    .where(and(isRun(task), eq(runs.isVerified, false), holdsLease(task), isRunCurrent(task)))
  const next = addIngestTask(db, task, { index: task.index + 1, nowMs })
  await db.batch([confirm, ...(place.chunkCount === null ? [next] : []), settleRunTask(db, task)])
}
