import { STEP_HARD_LIMITS } from '#contract/limits.ts'
import { MIN_STEP_MS, type StepToStore } from '#worker/domain/step/section-step.ts'
import {
  INSERT_PROPOSALS,
  IS_ADDED_NOW,
  IS_BY_TIME,
  IS_REWRITTEN,
  IS_UNTOUCHED,
  insertSteps,
  placeSteps,
  REWRITE,
  STEPS_OF_EDITED,
} from '#worker/domain/step/step-store.ts'
import { isOrphaned } from '#worker/domain/transcript/transcript-store.ts'
import { IS_CURRENT_RUN, makeFence, type RunId } from './current-run.ts'

/** `?1` module, `?2` list, `?3` run. */
const FENCE = makeFence('?1', '?3')

/** Writes a run's steps where no person has touched or removed them, and nothing where a step is as it was. */
const upsertSteps = (fence: string, position = 'key') => `${insertSteps('json_each(?2)', position)}
  WHERE ${fence} AND value->>'id' NOT IN (SELECT id FROM dismissed_steps WHERE module_id = ?1)
  ON CONFLICT (module_id, id) DO UPDATE SET ${REWRITE},
    position = CASE WHEN ${IS_BY_TIME} THEN excluded.start_ms ELSE steps.position END
  WHERE ${IS_UNTOUCHED} AND ${IS_REWRITTEN}`

/** Steps that begin before this always have room: a run's own steps do not overlap, and each has this length at least. */
const ROOM_FOR_ALL_MS = STEP_HARD_LIMITS.maxSteps * MIN_STEP_MS

/**
 * True when the step exists, or one more can be saved at once with the others; otherwise no person could edit them.
 * Counting reads as many rows as can be saved at the most, which costs less than writing a sum each time.
 */
const HAS_ROOM = `(${IS_BY_TIME} AND value->>'startMs' < ${ROOM_FOR_ALL_MS}
  OR EXISTS (SELECT 1 FROM steps AS shown WHERE shown.module_id = ?1 AND shown.id = value->>'id')
  OR key + (SELECT count(*) FROM steps WHERE module_id = ?1) < ${STEP_HARD_LIMITS.maxSteps})`

/**
 * Shows the steps that a run has written so far, as far as there is room. Steps that a person has changed stay, and
 * those that a person has removed do not come back.
 * @returns the new version of the steps; null when the run is not the current one, or works beside steps that are there
 */
export async function showRunSteps(db: D1Database, id: RunId, written: StepToStore[]): Promise<number | null> {
  const isLive = `EXISTS (SELECT 1 FROM runs WHERE module_id = ?1 AND run = ?3 AND is_live)`
  const bind = (sql: string) => db.prepare(sql).bind(id.moduleId, JSON.stringify(written), id.run)
  const results = await db.batch([
    bind(upsertSteps(`${FENCE} AND ${isLive} AND ${HAS_ROOM}`, `iif(${IS_BY_TIME}, value->>'startMs', key)`)),
    bind(`${placeSteps(IS_ADDED_NOW, STEPS_OF_EDITED)} AND ${FENCE} AND ${isLive}`),
    bind(
      `UPDATE modules SET steps_version = steps_version + 1
       WHERE id = ?1 AND run = ?3 AND status = 'PROCESSING' AND ${isLive}
       RETURNING steps_version AS version`,
    ),
  ])
  const [shown] = (results.at(-1)?.results ?? []) as { version: number }[]
  return shown?.version ?? null
}

/** Whose segments are the transcript once the run `?2` has ended. */
const TRANSCRIPT_RUN = "(SELECT CASE transcript_source WHEN 'captions' THEN 0 ELSE ?2 END FROM modules WHERE id = ?1)"

/** What ends a run, beside its steps: its own row, what it leaves behind, and the module. */
function endStatements(db: D1Database, at: RunId & { nowMs: number }, editedVersion: string): D1PreparedStatement[] {
  const bind = (sql: string, ...values: unknown[]) => db.prepare(sql).bind(at.moduleId, at.run, ...values)
  return [
    bind(
      `DELETE FROM transcript_segments WHERE module_id = ?1 AND ${IS_CURRENT_RUN}
         AND run <> ${TRANSCRIPT_RUN} AND NOT (${isOrphaned(TRANSCRIPT_RUN)})`,
    ),
    bind(`DELETE FROM dismissed_steps WHERE module_id = ?1 AND ${IS_CURRENT_RUN}`),
    bind(
      `UPDATE runs SET ended_at = ?3, outcome = 'ready' WHERE module_id = ?1 AND run = ?2 AND ended_at IS NULL AND ${IS_CURRENT_RUN}`,
      at.nowMs,
    ),
    bind(
      `UPDATE modules SET status = 'READY', progress = 100, message = 'Ready', updated_at = ?3,
              transcript_run = CASE transcript_source WHEN 'captions' THEN 0 ELSE ?2 END,
              steps_version = steps_version + 1, edited_version = ${editedVersion}
       WHERE id = ?1 AND run = ?2 AND status = 'PROCESSING'`,
      at.nowMs,
    ),
  ]
}

async function isEnded(db: D1Database, statements: D1PreparedStatement[]): Promise<boolean> {
  const results = await db.batch(statements)
  return (results.at(-1)?.meta.changes ?? 0) === 1
}

/**
 * Ends a run well: its steps replace the ones that no person has touched, and the module becomes READY, in one
 * transaction. Steps that a person added or changed stay as they are.
 * @returns false when the run is not the current one any more; nothing has changed then
 */
export function commitRunSteps(
  db: D1Database,
  at: RunId & { nowMs: number },
  written: StepToStore[],
): Promise<boolean> {
  const bind = (sql: string) => db.prepare(sql).bind(at.moduleId, JSON.stringify(written), at.run)
  // An editor of an older run's steps gets a version conflict; additions of the run that the editor watched are none.
  const edited = `CASE WHEN (SELECT is_live FROM runs WHERE module_id = ?1 AND run = ?2) THEN edited_version ELSE steps_version + 1 END`
  return isEnded(db, [
    bind(
      `DELETE FROM steps WHERE module_id = ?1 AND ${IS_UNTOUCHED} AND ${FENCE}
         AND id NOT IN (SELECT value->>'id' FROM json_each(?2))`,
    ),
    bind(upsertSteps(FENCE)),
    bind(`${placeSteps(IS_ADDED_NOW)} AND ${FENCE}`),
    db.prepare(`DELETE FROM step_proposals WHERE module_id = ?1 AND ${IS_CURRENT_RUN}`).bind(at.moduleId, at.run),
    ...endStatements(db, at, edited),
  ])
}

/**
 * Ends a run well without touching the steps: what it wrote is kept beside them, to be accepted or rejected.
 * @returns false when the run is not the current one any more; nothing has changed then
 */
export function proposeRunSteps(
  db: D1Database,
  at: RunId & { nowMs: number },
  written: StepToStore[],
): Promise<boolean> {
  return isEnded(db, [
    db.prepare(`DELETE FROM step_proposals WHERE module_id = ?1 AND ${IS_CURRENT_RUN}`).bind(at.moduleId, at.run),
    db.prepare(`${INSERT_PROPOSALS} WHERE ${FENCE}`).bind(at.moduleId, JSON.stringify(written), at.run),
    ...endStatements(db, at, 'edited_version'),
  ])
}
