import { RESTORABLE_DAYS, STEP_HARD_LIMITS } from '#contract/limits.ts'
import type { StepsAnswer } from '#contract/step.ts'
import type { RemovedStepsAnswer } from '#contract/training/removed-step.ts'
import type { Context } from '#worker/core/context.ts'
import { AppError } from '#worker/core/errors.ts'
import { listRows, runSql } from '#worker/db/db.ts'
import type { ModuleRow } from '#worker/domain/module/module-store.ts'
import { toIso } from '#worker/domain/to-iso.ts'
import { answerNow } from './save-steps.ts'
import { insertSteps, placeSteps, setEditedVersion } from './step-store.ts'

/** How long a removed step can be restored. */
const KEPT_MS = RESTORABLE_DAYS * 24 * 60 * 60_000
/** What the list shows; more is found once these are restored or gone. */
const LISTED_MAX = 100

/** Of the module `?1`, since `?2`, but for those that are back by another way. */
const IS_RESTORABLE = `module_id = ?1 AND removed_at > ?2
  AND id NOT IN (SELECT id FROM steps WHERE steps.module_id = ?1)`

/** Lists the steps of a module that were removed in the last days. */
export async function listRemoved(
  { d1, nowMs }: Pick<Context, 'd1' | 'nowMs'>,
  moduleId: string,
): Promise<RemovedStepsAnswer> {
  const query = `SELECT id, removed_at AS removedAt, step->>'title' AS title, step->>'startMs' AS startMs
    FROM removed_steps WHERE ${IS_RESTORABLE} ORDER BY removed_at DESC, id LIMIT ${LISTED_MAX}`
  const rows = await listRows<{ id: string; removedAt: number; title: string; startMs: number }>(
    d1,
    query,
    moduleId,
    nowMs() - KEPT_MS,
  )
  const steps = rows.map(({ startMs, removedAt, ...row }) => ({
    ...row,
    start: startMs / 1_000,
    removedAt: toIso(removedAt),
  }))
  return { success: true, steps }
}

const IS_UNPLACED = (table: string) => `${table}.position < 0`

/**
 * Restores a removed step as it was, at its time.
 * @throws {AppError} not_found, also when its time is over; invalid_request for a module with as many steps as it may have
 */
export async function restoreStep(context: Context, module: ModuleRow, stepId: string): Promise<StepsAnswer> {
  const { d1, nowMs } = context
  const bind = (query: string, ...values: unknown[]) =>
    d1.prepare(query).bind(module.id, nowMs() - KEPT_MS, stepId, ...values)
  // The video may be a shorter one by now.
  const inVideo = `CASE WHEN ?4 IS NULL OR step->>'endMs' <= ?4 THEN json(step)
    ELSE json_set(step, '$.startMs', min(step->>'startMs', max(0, ?4 - (step->>'endMs' - step->>'startMs'))), '$.endMs', ?4) END`
  const restorable = `(SELECT json_array(${inVideo}) AS list FROM removed_steps
    WHERE ${IS_RESTORABLE} AND id = ?3
      AND (SELECT count(*) FROM steps WHERE steps.module_id = ?1) < ${STEP_HARD_LIMITS.maxSteps})`
  const isBack = `EXISTS (SELECT 1 FROM steps WHERE module_id = ?1 AND id = ?3 AND position < 0)`
  const [inserted] = await d1.batch([
    bind(`${insertSteps(`${restorable} AS restorable, json_each(restorable.list)`, '-1')}`, module.durationMs),
    bind(`${setEditedVersion('?4')} AND ${isBack}`, nowMs()),
    bind(`DELETE FROM dismissed_steps WHERE module_id = ?1 AND id = ?3 AND ${isBack}`),
    bind(`DELETE FROM removed_steps WHERE module_id = ?1 AND id = ?3 AND ${isBack}`),
    d1.prepare(placeSteps(IS_UNPLACED)).bind(module.id),
  ])
  if (inserted?.meta.changes !== 1) throw await toProblem(context, module)
  return answerNow(context, module)
}

async function toProblem({ d1 }: Context, { id }: ModuleRow): Promise<AppError> {
  const [row] = await listRows<{ n: number }>(d1, 'SELECT count(*) AS n FROM steps WHERE module_id = ?1', id)
  return (row?.n ?? 0) >= STEP_HARD_LIMITS.maxSteps
    ? new AppError('invalid_request', `A training has at most ${STEP_HARD_LIMITS.maxSteps} steps.`)
    : new AppError('not_found', 'This step can no longer be restored.')
}

/** Steps that one sweep forgets. */
const FORGOTTEN_MAX = 500

/** Forgets steps that can no longer be restored. @returns how many */
export function forgetRemoved(d1: D1Database, nowMs: number): Promise<number> {
  const query = `DELETE FROM removed_steps WHERE rowid IN
    (SELECT rowid FROM removed_steps WHERE removed_at <= ?1 LIMIT ${FORGOTTEN_MAX})`
  return runSql(d1, query, nowMs - KEPT_MS)
}
