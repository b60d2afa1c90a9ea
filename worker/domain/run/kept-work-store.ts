import { getTableColumns, getTableName } from 'drizzle-orm'
import type { SQLiteTable } from 'drizzle-orm/sqlite-core'
import type { Context } from '#worker/core/context.ts'
import { audioChunks } from '#worker/db/chunk-tables.ts'
import { listRows, runSql } from '#worker/db/db.ts'
import { sections } from '#worker/db/schema.ts'
import { removeAudio, sumTranscribed } from './chunk-store.ts'
import type { RunId } from './fence.ts'
import { type RunTaskKind, runSubjectId } from './run-subject.ts'
import { addChunkTasks, addSectionTasks, ofRunTasks } from './run-task-store.ts'

/**
 * What the chunks, sections and tasks of a run count; `busy` are those that a busy model has put off, and is missing of runs
 * that ended before it was counted. Attempts are failures and one more for each task that was claimed.
 */
export interface RunWork {
  audio: { tries: number; mostTries: number; busy?: number; lastTranscribedAt: number | null }
  steps: { tries: number; mostTries: number; busy?: number; drafts: number }
}

const ofRun = (what: string, table: string) =>
  `(SELECT ${what} FROM ${table} AS t WHERE t.module_id = runs.module_id AND t.run = runs.run)`
const ofTasks = (what: string, kind: RunTaskKind) =>
  `(SELECT coalesce(${what}, 0) FROM task_queue AS t
    WHERE t.subject_kind = 'run' AND t.subject_id = ${runSubjectId('runs')} AND t.kind = '${kind}')`
const attempts = (fold: 'sum' | 'max', kind: RunTaskKind) =>
  ofTasks(`${fold}(iif(t.lease_id IS NOT NULL, t.attempts + 1, 0))`, kind)
const busy = (kind: RunTaskKind) => ofTasks('sum(t.busy_since IS NOT NULL)', kind)
const attemptsOf = (kind: RunTaskKind) =>
  `'tries', ${attempts('sum', kind)}, 'mostTries', ${attempts('max', kind)}, 'busy', ${busy(kind)}`

/** SQL for a {@link RunWork} as JSON, of a row of `runs`: stored when a run ends well, as its rows are removed then. */
export const COUNT_WORK = `json_object(
  'audio', json_object(${attemptsOf('transcribe')}, 'lastTranscribedAt', ${ofRun('max(t.transcribed_at)', 'audio_chunks')}),
  'steps', json_object(${attemptsOf('write_steps')}, 'drafts', ${ofRun('coalesce(sum(t.is_draft), 0)', 'sections')}))`

/**
 * Whether the model of the run `?3` of the module `?1` was busy for so long that a section was written, or the outline
 * left out, without it; for a statement on its row.
 */
const WAS_BUSY = `EXISTS (SELECT 1 FROM task_queue AS t LEFT JOIN sections AS s
    ON s.module_id = runs.module_id AND s.run = runs.run AND s.section = t.idx
  WHERE t.subject_kind = 'run' AND t.subject_id = ${runSubjectId('runs')} AND t.kind = 'write_steps'
    AND t.busy_since IS NOT NULL
    AND (s.is_draft OR (s.section IS NULL AND runs.outline = '[]')))`
/** The same, once that row says so. */
export const IS_BUSY_END = `EXISTS (SELECT 1 FROM runs WHERE module_id = ?1 AND run = ?3 AND failure_code = 'ai_busy')`

/**
 * SQL that ends the run `?3` of the module `?1` well at the time `?7`, with what it and those before it have counted.
 * After a run whose model was busy a later one continues from what it has left.
 */
export const END_RUNS = `UPDATE runs SET work = ${COUNT_WORK}, ended_at = coalesce(ended_at, ?7),
    outcome = coalesce(outcome, 'ready'), failure_code = iif(run = ?3 AND ${WAS_BUSY}, 'ai_busy', failure_code)
  WHERE module_id = ?1 AND run <= ?3 AND work IS NULL`

/** D1 binds every number as a real, which would be written as "1.0". */
const wholeOf = (number: string) => `CAST(${number} AS INTEGER)`
/** Replaces the old run `?2` by the new one `?3` in a copied row: segment ids contain the number of their run. */
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

/** The run `?2` of the READY module `?1` wrote its steps from the captions that it has now. */
const IS_OF_CAPTIONS = `EXISTS (SELECT 1 FROM modules WHERE id = ?1 AND status = 'READY' AND captions_key = transcript_key)`

/**
 * Copies what another run of the same module cut, transcribed and wrote, so that a new run continues from there. Its sums are
 * recomputed, and segments get the new run's names. Nothing happens where the new run has chunks already.
 */
export async function copyWork(
  db: D1Database,
  ids: { moduleId: string; from: number; to: number; nowMs: number },
): Promise<void> {
  const id = { moduleId: ids.moduleId, run: ids.to }
  const bind = (sql: string) => db.prepare(sql).bind(ids.moduleId, ids.from, ids.to)
  await db.batch([
    bind(`${copyRows(audioChunks)} ON CONFLICT DO NOTHING`),
    bind(`${copyRows(sections)} AND status = 'written' AND is_draft = 0 ON CONFLICT DO NOTHING`),
    // With captions all sections are planned already; without a count they would be planned and written again.
    bind(
      `INSERT INTO sections (module_id, run, section, from_position, to_position)
       SELECT module_id, ?3, section, from_position, to_position FROM sections
       WHERE module_id = ?1 AND run = ?2 AND ${IS_OF_CAPTIONS} ON CONFLICT DO NOTHING`,
    ),
    bind(
      `UPDATE runs SET (section_count, formed_sections) = (
         SELECT count(*), count(*) FROM sections WHERE module_id = ?1 AND run = ?3)
       WHERE module_id = ?1 AND run = ?3 AND ${IS_OF_CAPTIONS}
         AND (SELECT section_count FROM runs WHERE module_id = ?1 AND run = ?2)
           = (SELECT count(*) FROM sections WHERE module_id = ?1 AND run = ?3)`,
    ),
    addChunkTasks(db, id, { nowMs: ids.nowMs }),
    bind(
      `UPDATE task_queue SET state = 'done' WHERE ${ofRunTasks('?3')} AND kind = 'transcribe' AND ${IS_OF_CAPTIONS}`,
    ),
    addSectionTasks(db, id, { nowMs: ids.nowMs }),
    bind(
      `UPDATE runs SET
         (cursor_ms, chunk_count, audio_track) = (SELECT cursor_ms, chunk_count, audio_track FROM runs WHERE module_id = ?1 AND run = ?2),
         ${sumTranscribed('?3')},
         written_sections = (SELECT count(*) FROM sections WHERE module_id = ?1 AND run = ?3 AND status = 'written'),
         outline = (SELECT iif(outline IS NULL, NULL, '') FROM runs WHERE module_id = ?1 AND run = ?2)
       WHERE module_id = ?1 AND run = ?3`,
    ),
  ])
}

/** The module has stayed as this run has left it. ?1 is the module, ?2 the run. */
const IS_LEFT = `EXISTS (SELECT 1 FROM modules WHERE id = ?1 AND run = ?2 AND run_status = 'FAILED')`

/**
 * Runs whose module they have failed between these times, and which have audio left. Two times, so that what has been
 * looked at once is not looked at for ever.
 */
export function listExpiredAudio(
  d1: D1Database,
  { fromMs, beforeMs, limit }: { fromMs: number; beforeMs: number; limit: number },
): Promise<RunId[]> {
  const sql = `SELECT id AS moduleId, run FROM modules AS m
    WHERE run_status = 'FAILED' AND updated_at >= ?1 AND updated_at < ?2
      AND EXISTS (SELECT 1 FROM audio_chunks WHERE module_id = m.id AND run <= m.run)
    ORDER BY updated_at LIMIT ?3`
  return listRows(d1, sql, fromMs, beforeMs, limit)
}

/**
 * Hides what a failed run has cut and written from runs that come later; its segments stay, as the transcript. Its chunks
 * move to run 0, which never begins, so that the audio that is still to be removed is found again. Doing it again does no
 * harm.
 * @returns false when a new run has begun
 */
async function hideAudio(d1: D1Database, { moduleId, run }: RunId): Promise<boolean> {
  const bind = (sql: string) => d1.prepare(sql).bind(moduleId, run)
  const results = await d1.batch([
    bind(`UPDATE sections SET status = 'planned', steps = NULL WHERE module_id = ?1 AND run <= ?2 AND ${IS_LEFT}`),
    bind(`UPDATE runs SET cursor_ms = NULL, chunk_count = NULL WHERE module_id = ?1 AND run = ?2 AND ${IS_LEFT}`),
    bind(`UPDATE OR REPLACE audio_chunks SET run = 0 WHERE module_id = ?1 AND run <= ?2 AND ${IS_LEFT}`),
  ])
  return (results.at(-1)?.meta.changes ?? 0) > 0
}

/**
 * Removes the audio that a failed run has cut, once a retry is unlikely to reuse it; a later retry begins from
 * the start. Nothing happens when a new run has begun meanwhile. What breaks off is found again.
 */
export async function expireAudio(context: Pick<Context, 'd1' | 'bucket'>, id: RunId): Promise<void> {
  if (!(await hideAudio(context.d1, id))) return
  await removeAudio(context.bucket, id)
  await runSql(context.d1, 'DELETE FROM audio_chunks WHERE module_id = ? AND run = 0', id.moduleId)
}
