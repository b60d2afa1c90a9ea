import { and, eq, sql } from 'drizzle-orm'
import type { Db } from '#worker/db/db.ts'
import { audioParts, runs } from '#worker/db/schema.ts'
import type { Heard } from '#worker/ports/speech-to-text.ts'
import type { CurrentRun } from './current-run.ts'
import type { PartRow } from './part-store.ts'
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
export async function storeHeard(
  db: Db,
  current: CurrentRun,
  { task, part, heard, nowMs }: { task: Task; part: PartRow; heard: Heard; nowMs: number },
): Promise<CurrentRun | null> {
  const lengthMs = part.endMs - part.startMs
  const wordCount = heard.words.length
  const isOurs = and(holdsLease(task), isRunCurrent(part))
  const [[run], , [module]] = await db.batch([
    db
      .update(runs)
      .set({
        heardCount: sql`${runs.heardCount} + 1`,
        heardMs: sql`${runs.heardMs} + ${lengthMs}`,
        spokenMs: sql`${runs.spokenMs} + ${wordCount > 0 ? lengthMs : 0}`,
        wordCount: sql`${runs.wordCount} + ${wordCount}`,
        confidenceSum: sql`${runs.confidenceSum} + ${(heard.confidence ?? 1) * wordCount}`,
      })
      .where(and(isRun(part), isOurs))
      .returning(),
    db
      .update(audioParts)
      .set({
        status: 'heard',
        words: JSON.stringify(heard.words),
        confidence: heard.confidence,
        language: heard.language,
        heardAt: nowMs,
      })
      .where(
        and(
          eq(audioParts.moduleId, part.moduleId),
          eq(audioParts.run, part.run),
          eq(audioParts.part, part.part),
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
 * Copies what another run of the same module cut, heard and wrote, so that a new run goes on from there. Its sums are
 * made anew, and segments get the new run's names. Nothing happens where the new run has parts already.
 */
export async function copyWork(
  db: D1Database,
  ids: { moduleId: string; from: number; to: number; nowMs: number },
): Promise<void> {
  const bind = (sql: string) => db.prepare(sql).bind(ids.moduleId, ids.from, ids.to)
  await db.batch([
    bind(
      `INSERT INTO audio_parts (module_id, run, part, key, content_type, audio_start_ms, audio_duration_ms, size_bytes,
                                etag, start_ms, end_ms, status, words, confidence, language, heard_at)
       SELECT module_id, ?3, part, key, content_type, audio_start_ms, audio_duration_ms, size_bytes,
              etag, start_ms, end_ms, status, words, confidence, language, heard_at
       FROM audio_parts WHERE module_id = ?1 AND run = ?2 ON CONFLICT DO NOTHING`,
    ),
    bind(
      `INSERT INTO stretches (module_id, run, stretch, from_position, to_position, status, steps, is_draft)
       SELECT module_id, ?3, stretch, from_position, to_position, status,
              replace(steps, '"s' || ${wholeOf('?2')} || '-', '"s' || ${wholeOf('?3')} || '-'), is_draft
       FROM stretches WHERE module_id = ?1 AND run = ?2 AND status = 'written' AND is_draft = 0 ON CONFLICT DO NOTHING`,
    ),
    addChunkTasks(db, { moduleId: ids.moduleId, run: ids.to }, { nowMs: ids.nowMs }),
    bind(
      `UPDATE runs SET
         (cursor_ms, part_count) = (SELECT cursor_ms, part_count FROM runs WHERE module_id = ?1 AND run = ?2),
         (heard_count, heard_ms, spoken_ms, word_count, confidence_sum) = (
           SELECT count(*), coalesce(sum(end_ms - start_ms), 0),
                  coalesce(sum(CASE WHEN words = '[]' THEN 0 ELSE end_ms - start_ms END), 0),
                  coalesce(sum(json_array_length(words)), 0),
                  coalesce(sum(coalesce(confidence, 1) * json_array_length(words)), 0)
           FROM audio_parts WHERE module_id = ?1 AND run = ?3 AND status = 'heard'),
         written_stretches = (SELECT count(*) FROM stretches WHERE module_id = ?1 AND run = ?3)
       WHERE module_id = ?1 AND run = ?3`,
    ),
  ])
}
