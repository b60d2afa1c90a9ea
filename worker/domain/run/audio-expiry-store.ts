import type { Context } from '#worker/context.ts'
import { removeAudio } from './chunk-store.ts'
import type { RunId } from './current-run.ts'

/** The module has stayed as this run has left it. ?1 is the module, ?2 the run. */
const IS_LEFT = `EXISTS (SELECT 1 FROM modules WHERE id = ?1 AND run = ?2 AND run_status = 'FAILED')`

/**
 * Runs whose module they have failed between these times, and which have audio left. Two times, so that what has been
 * looked at once is not looked at for ever.
 */
export async function listExpiredAudio(
  d1: D1Database,
  { fromMs, beforeMs, limit }: { fromMs: number; beforeMs: number; limit: number },
): Promise<RunId[]> {
  const { results } = await d1
    .prepare(
      `SELECT id AS moduleId, run FROM modules AS m
       WHERE run_status = 'FAILED' AND updated_at >= ?1 AND updated_at < ?2
         AND EXISTS (SELECT 1 FROM audio_chunks WHERE module_id = m.id AND run <= m.run)
       ORDER BY updated_at LIMIT ?3`,
    )
    .bind(fromMs, beforeMs, limit)
    .all<RunId>()
  return results
}

/**
 * Hides what a failed run has cut and written from runs that come later; its segments stay, as the transcript. Under a number that no run has, it stays known
 * that its audio is to be removed. Doing it again does no harm.
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

/** Forgets audio that was hidden, once it is removed. */
async function forgetAudio(d1: D1Database, moduleId: string): Promise<void> {
  await d1.prepare('DELETE FROM audio_chunks WHERE module_id = ? AND run = 0').bind(moduleId).run()
}

/**
 * Removes the audio that a failed run has cut, once a retry is unlikely to reuse it; a later retry begins from
 * the start. Nothing happens when a new run has begun meanwhile. What breaks off is found again.
 */
export async function expireAudio(context: Pick<Context, 'd1' | 'bucket'>, id: RunId): Promise<void> {
  if (!(await hideAudio(context.d1, id))) return
  await removeAudio(context.bucket, id)
  await forgetAudio(context.d1, id.moduleId)
}
