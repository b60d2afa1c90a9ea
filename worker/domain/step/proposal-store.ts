import { and, asc, eq } from 'drizzle-orm'
import type { Db } from '#worker/db/db.ts'
import { stepProposals } from '#worker/db/schema.ts'
import type { ProposalRow } from './step-row.ts'
import { IS_ADDED_NOW, IS_UNTOUCHED, placeSteps } from './step-sql.ts'

/** What the last run offers and nobody has decided on yet, in time order. */
export function listProposals(db: Db, moduleId: string): Promise<ProposalRow[]> {
  return db
    .select()
    .from(stepProposals)
    .where(eq(stepProposals.moduleId, moduleId))
    .orderBy(asc(stepProposals.position))
}

/** @returns false when there was no such proposal, or somebody else has decided on it */
export async function rejectProposal(db: Db, moduleId: string, id: string): Promise<boolean> {
  const removed = await db
    .delete(stepProposals)
    .where(and(eq(stepProposals.moduleId, moduleId), eq(stepProposals.id, id)))
    .returning({ id: stepProposals.id })
  return removed.length === 1
}

/**
 * Makes a proposal a step. It takes the place of the steps that no person has touched and whose middle lies inside it.
 * @returns false when there was no such proposal, or somebody else has decided on it
 */
export async function acceptProposal(
  db: D1Database,
  at: { moduleId: string; id: string; nowMs: number },
): Promise<boolean> {
  const isOffered = 'EXISTS (SELECT 1 FROM step_proposals WHERE module_id = ?1 AND id = ?2)'
  const bind = (sql: string, ...values: unknown[]) => db.prepare(sql).bind(at.moduleId, at.id, ...values)
  const results = await db.batch([
    bind(
      `DELETE FROM steps WHERE module_id = ?1 AND ${IS_UNTOUCHED} AND EXISTS (
         SELECT 1 FROM step_proposals AS new WHERE new.module_id = ?1 AND new.id = ?2
          AND (steps.start_ms + steps.end_ms) / 2 BETWEEN new.start_ms AND new.end_ms
          AND steps.run IS NOT new.run)`,
    ),
    bind(
      `INSERT INTO steps (module_id, id, position, title, description, start_ms, end_ms, original_text, segment_ids,
                          is_manual, is_draft, run, added_version)
       SELECT module_id, id, position, title, description, start_ms, end_ms, original_text, segment_ids,
              0, is_draft, run, (SELECT steps_version + 1 FROM modules WHERE id = ?1)
       FROM step_proposals WHERE module_id = ?1 AND id = ?2 ON CONFLICT DO NOTHING`,
    ),
    bind(`${placeSteps(IS_ADDED_NOW)} AND ${isOffered}`),
    bind(
      `UPDATE modules SET steps_version = steps_version + 1, edited_version = steps_version + 1, updated_at = ?3
       WHERE id = ?1 AND ${isOffered}`,
      at.nowMs,
    ),
    bind('DELETE FROM step_proposals WHERE module_id = ?1 AND id = ?2'),
  ])
  return (results.at(-1)?.meta.changes ?? 0) === 1
}
