import { and, asc, eq, inArray, isNotNull, or } from 'drizzle-orm'
import type { Db } from '#worker/db/db.ts'
import { dismissedSteps, stepProposals, steps } from '#worker/db/schema.ts'
import type { StepRow, StepToStore } from './step-row.ts'
import { INSERT_STEPS, placeSteps } from './step-sql.ts'

/** The query for all steps in the order of the list. */
export function selectSteps(db: Db, moduleId: string) {
  return db.select().from(steps).where(eq(steps.moduleId, moduleId)).orderBy(asc(steps.position))
}

/** All steps in the order of the list. */
export async function listSteps(db: Db, moduleId: string): Promise<StepRow[]> {
  return selectSteps(db, moduleId)
}

/** All steps of several modules, by module, each in the order of its list. */
export async function listStepsOf(db: Db, moduleIds: readonly string[]): Promise<Map<string, StepRow[]>> {
  const rows = await db
    .select()
    .from(steps)
    .where(inArray(steps.moduleId, [...moduleIds]))
    .orderBy(asc(steps.position))
  return Map.groupBy(rows, ({ moduleId }) => moduleId)
}

/** Ids of steps that a person has added or changed, which a new run must not replace. */
export async function listTouchedIds(db: Db, moduleId: string): Promise<string[]> {
  const rows = await db
    .select({ id: steps.id })
    .from(steps)
    .where(and(eq(steps.moduleId, moduleId), or(eq(steps.isManual, true), isNotNull(steps.editedAt))))
  return rows.map(({ id }) => id)
}

/** What a save is based on, and when it happens. */
export interface SaveAt {
  moduleId: string
  /** Version that the save was based on; null saves whatever the current version is. */
  basedOn: number | null
  nowMs: number
}

/**
 * Replaces the list, as a person saved it. Steps that the pipeline has shown since the version that the save is based
 * on stay beside it; what the person left out does not come back.
 * @returns false when another person saved first; nothing has changed then
 */
export async function replaceSteps(db: D1Database, at: SaveAt, list: StepToStore[]): Promise<boolean> {
  const isFresh = `EXISTS (SELECT 1 FROM modules WHERE id = ?1 AND (?3 IS NULL OR edited_version <= ?3))`
  const isKnown = '(?3 IS NULL OR added_version <= ?3)'
  const bind = (sql: string, ...values: unknown[]) =>
    db.prepare(sql).bind(at.moduleId, JSON.stringify(list), at.basedOn, ...values)
  const results = await db.batch([
    bind(
      `INSERT INTO dismissed_steps (module_id, id) SELECT module_id, id FROM steps
       WHERE module_id = ?1 AND ${isFresh} AND ${isKnown}
         AND run = (SELECT run FROM modules WHERE id = ?1 AND status = 'PROCESSING')
         AND id NOT IN (SELECT value->>'id' FROM json_each(?2))
       ON CONFLICT DO NOTHING`,
    ),
    bind(`DELETE FROM steps WHERE module_id = ?1 AND ${isFresh} AND ${isKnown}`),
    bind(
      `${INSERT_STEPS} WHERE ${isFresh} ON CONFLICT (module_id, id) DO UPDATE SET
         title = excluded.title, description = excluded.description, start_ms = excluded.start_ms,
         end_ms = excluded.end_ms, aliases = excluded.aliases, notes = excluded.notes,
         ai_rewrite = excluded.ai_rewrite, is_manual = excluded.is_manual, edited_at = excluded.edited_at`,
    ),
    // What stayed beside the list takes its place in time; the list keeps its own order.
    bind(
      `${placeSteps("(steps.added_version > ?3 AND steps.id NOT IN (SELECT value->>'id' FROM json_each(?2)))")} AND ${isFresh}`,
    ),
    bind(
      `UPDATE modules SET steps_version = steps_version + 1, edited_version = steps_version + 1, updated_at = ?4
       WHERE id = ?1 AND (?3 IS NULL OR edited_version <= ?3)`,
      at.nowMs,
    ),
  ])
  return (results.at(-1)?.meta.changes ?? 0) === 1
}

/** Removes everything that belongs to the steps of a module that is erased. */
export async function removeSteps(db: Db, moduleId: string): Promise<void> {
  await db.delete(steps).where(eq(steps.moduleId, moduleId))
  await db.delete(stepProposals).where(eq(stepProposals.moduleId, moduleId))
  await db.delete(dismissedSteps).where(eq(dismissedSteps.moduleId, moduleId))
}
