import { findModule } from '#worker/domain/module/module-store.ts'
import { ringAll } from './doorbell.ts'
import type { RunDeps } from './run-deps.ts'
import type { RunId } from './run-fence.ts'

/**
 * Videos of one owner that are worked on at the same time. Queues know no owners, so an owner who sends a hundred videos
 * would otherwise keep everybody else waiting behind them.
 */
export const MAX_RUNS_PER_OWNER = 3

/**
 * A run whose video is still on its way and of which no chunk was transcribed since then takes no turn: it only
 * waits, maybe for a tab that was closed. As long as a watchdog's first look (`QUIET_MS`).
 */
const IDLE_MS = 45_000

/**
 * Gives an owner's waiting runs their turn, oldest first, as far as there is room, and rings for their tasks. A run that
 * has neither its video nor a browser's audio has no turn yet.
 */
export async function admitRuns(deps: RunDeps, userId: string): Promise<void> {
  const { results } = await deps.d1
    .prepare(
      `UPDATE runs SET admitted_at = ?2 WHERE (module_id, run) IN (
         SELECT r.module_id, r.run FROM runs AS r JOIN modules AS m ON m.id = r.module_id AND m.run = r.run
         WHERE m.user_id = ?1 AND m.status = 'PROCESSING' AND r.admitted_at IS NULL
           AND (m.source_etag IS NOT NULL OR r.audio_from = 'browser')
         ORDER BY r.started_at, r.module_id
         LIMIT max(0, ?3 - (
           SELECT count(*) FROM runs AS a JOIN modules AS b ON b.id = a.module_id AND b.run = a.run
           WHERE b.user_id = ?1 AND b.status = 'PROCESSING' AND a.admitted_at IS NOT NULL
             AND (b.source_etag IS NOT NULL
               OR (b.updated_at > ?2 - ?4 AND (a.section_count IS NULL OR a.written_sections < a.section_count))))))
       RETURNING module_id AS moduleId, run`,
    )
    .bind(userId, deps.nowMs(), MAX_RUNS_PER_OWNER, IDLE_MS)
    .all<RunId>()
  if (results.length > 0) await ringAll(deps)
}

/** After a run has ended: the next one of the same owner. A sweep repeats it when this is lost. */
export async function admitNext(deps: RunDeps, moduleId: string): Promise<void> {
  const module = await findModule(deps.db, moduleId)
  if (module !== null) await admitRuns(deps, module.userId)
}
