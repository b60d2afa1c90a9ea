import { and, eq, sql } from 'drizzle-orm'
import type { Db } from '#worker/db/db.ts'
import { audioChunks, runs } from '#worker/db/schema.ts'
import type { SpeechResult } from '#worker/ports/speech-to-text.ts'
import type { ChunkRow } from './chunk-store.ts'
import type { CurrentRun } from './current-run.ts'
import { updateReport } from './report-run.ts'
import { isRunCurrent } from './run-fence.ts'
import { isRun } from './run-store.ts'
import { addChunkTasks, holdsLease, settleTask, type Task } from './task-store.ts'

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
    bind(
      `INSERT INTO audio_chunks (module_id, run, chunk, key, content_type, audio_start_ms, audio_duration_ms, size_bytes,
                                etag, start_ms, end_ms, status, words, confidence, language, transcribed_at)
       SELECT module_id, ?3, chunk, key, content_type, audio_start_ms, audio_duration_ms, size_bytes,
              etag, start_ms, end_ms, status, words, confidence, language, transcribed_at
       FROM audio_chunks WHERE module_id = ?1 AND run = ?2 ON CONFLICT DO NOTHING`,
    ),
    bind(
      `INSERT INTO sections (module_id, run, section, from_position, to_position, status, steps, is_draft)
       SELECT module_id, ?3, section, from_position, to_position, status,
              replace(steps, '"s' || ${wholeOf('?2')} || '-', '"s' || ${wholeOf('?3')} || '-'), is_draft
       FROM sections WHERE module_id = ?1 AND run = ?2 AND status = 'written' AND is_draft = 0 ON CONFLICT DO NOTHING`,
    ),
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
