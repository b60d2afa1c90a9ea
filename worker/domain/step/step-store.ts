import { asc, eq } from 'drizzle-orm'
import type { Db } from '#worker/db/db.ts'
import { steps } from '#worker/db/schema.ts'
import type { RunId } from '#worker/domain/run/run-store.ts'
import type { StepRow, StepToStore } from './step-row.ts'

/** All steps in the order of the list. */
export function listSteps(db: Db, moduleId: string): Promise<StepRow[]> {
  return db.select().from(steps).where(eq(steps.moduleId, moduleId)).orderBy(asc(steps.position))
}

const INSERT_STEPS = `
  INSERT INTO steps (module_id, id, position, title, description, start_ms, end_ms, aliases, notes, original_text,
                     ai_rewrite, segment_ids, is_manual, is_draft, run, edited_at)
  SELECT ?1, value->>'id', key, value->>'title', value->>'description', value->>'startMs', value->>'endMs',
         value->'aliases', value->>'notes', value->>'originalText', value->>'aiRewrite', value->'segmentIds',
         value->>'isManual', value->>'isDraft', value->>'run', value->>'editedAt'
  FROM json_each(?2)`

/**
 * Ends a run well: its steps replace the ones that no person has touched, and the module becomes READY, in one
 * transaction. Steps that a person added or edited stay.
 * @returns false when the run is not the current one any more; nothing has changed then
 */
export async function commitRunSteps(
  db: D1Database,
  at: RunId & { nowMs: number },
  written: StepToStore[],
): Promise<boolean> {
  const fence = `EXISTS (SELECT 1 FROM modules WHERE id = ?1 AND run = ?3 AND status = 'PROCESSING' AND deleted_at IS NULL)`
  const [, , , ready] = await db.batch([
    db
      .prepare(
        `DELETE FROM steps WHERE module_id = ?1 AND is_manual = 0 AND edited_at IS NULL
         AND EXISTS (SELECT 1 FROM modules WHERE id = ?1 AND run = ?2 AND status = 'PROCESSING' AND deleted_at IS NULL)`,
      )
      .bind(at.moduleId, at.run),
    db
      .prepare(`${INSERT_STEPS} WHERE ${fence} ON CONFLICT DO NOTHING`)
      .bind(at.moduleId, JSON.stringify(written), at.run),
    db
      .prepare(
        `UPDATE steps SET position =
           (SELECT count(*) FROM steps AS other WHERE other.module_id = steps.module_id
            AND (other.start_ms < steps.start_ms OR (other.start_ms = steps.start_ms AND other.id < steps.id)))
         WHERE module_id = ?1
         AND EXISTS (SELECT 1 FROM modules WHERE id = ?1 AND run = ?2 AND status = 'PROCESSING' AND deleted_at IS NULL)`,
      )
      .bind(at.moduleId, at.run),
    db
      .prepare(
        `UPDATE modules SET status = 'READY', progress = 100, message = 'Ready', steps_version = steps_version + 1,
                updated_at = ?3
         WHERE id = ?1 AND run = ?2 AND status = 'PROCESSING' AND deleted_at IS NULL`,
      )
      .bind(at.moduleId, at.run, at.nowMs),
  ])
  return (ready?.meta.changes ?? 0) === 1
}

/**
 * Replaces the whole list, as a person saved it.
 * @param basedOn version that the save was based on; null saves whatever the current version is
 * @returns false when someone else saved first; nothing has changed then
 */
export async function replaceSteps(
  db: D1Database,
  at: { moduleId: string; basedOn: number | null; nowMs: number },
  list: StepToStore[],
): Promise<boolean> {
  const fence = `EXISTS (SELECT 1 FROM modules WHERE id = ?1 AND (?3 IS NULL OR steps_version = ?3) AND deleted_at IS NULL)`
  const [, , saved] = await db.batch([
    db
      .prepare(
        `DELETE FROM steps WHERE module_id = ?1
         AND EXISTS (SELECT 1 FROM modules WHERE id = ?1 AND (?2 IS NULL OR steps_version = ?2) AND deleted_at IS NULL)`,
      )
      .bind(at.moduleId, at.basedOn),
    db.prepare(`${INSERT_STEPS} WHERE ${fence}`).bind(at.moduleId, JSON.stringify(list), at.basedOn),
    db
      .prepare(
        `UPDATE modules SET steps_version = steps_version + 1, updated_at = ?3
         WHERE id = ?1 AND (?2 IS NULL OR steps_version = ?2) AND deleted_at IS NULL`,
      )
      .bind(at.moduleId, at.basedOn, at.nowMs),
  ])
  return (saved?.meta.changes ?? 0) === 1
}

/** Removes all steps of a module that is erased. */
export async function removeSteps(db: Db, moduleId: string): Promise<void> {
  await db.delete(steps).where(eq(steps.moduleId, moduleId))
}
