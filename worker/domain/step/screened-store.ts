import { and, eq, like } from 'drizzle-orm'
import type { ScreenedTexts } from '#contract/step.ts'
import type { Db } from '#worker/db/db.ts'
import { stepProposals } from '#worker/db/schema.ts'
import { IS_UNTOUCHED, insertProposals, PROPOSED, setExcluded } from './step-store.ts'
import type { ProposalRow } from './tidy-section.ts'

/** Begins the id of a proposal that was made because the screen shows more than a step says. */
export const SCREEN_PROPOSAL = 'screen-'

/** What the steps and proposals of a module say once its screen has been read. */
export interface ScreenedSteps {
  moduleId: string
  nowMs: number
  /** Version of the steps that it was made from. */
  basedOn: number
  /** Steps, and proposals of a run, that change where they stand. */
  changed: readonly (ScreenedTexts & { id: string })[]
  /** What images show. It is no person's text, so it comes into every step. */
  images: readonly { id: string; imageText: string }[]
  /** What is offered beside steps that a person has changed. */
  proposed: readonly Omit<ProposalRow, 'moduleId' | 'position'>[]
}

/** `?1` module, `?3` version. */
const FENCE = `EXISTS (SELECT 1 FROM modules WHERE id = ?1 AND status = 'READY' AND steps_version = ?3)`
const SET_TEXTS = `title = new.value->>'title', description = new.value->>'description', commands = new.value->'commands'`
const CONTENT = PROPOSED.filter((name) => name !== 'id' && name !== 'run')
/** Whether a proposal says something else than the one that is there. */
const IS_OTHER = ['title', 'description', 'commands']
  .map((name) => `step_proposals.${name} <> excluded.${name}`)
  .join(' OR ')

/** Lists what the screen has led to be proposed, decided or not. */
export function listScreenProposals(db: Db, moduleId: string): Promise<ProposalRow[]> {
  const isOfScreen = like(stepProposals.id, `${SCREEN_PROPOSAL}%`)
  return db
    .select()
    .from(stepProposals)
    .where(and(eq(stepProposals.moduleId, moduleId), isOfScreen))
}

/**
 * Stores what a screen adds to steps, in one transaction. A step that changes keeps what it said before, so that it can
 * be taken back; a person's stay. A proposal that a person has rejected does not come back as it was.
 * @returns false when the steps have another version by now; nothing has changed then
 */
export async function storeScreened(db: D1Database, screened: ScreenedSteps): Promise<boolean> {
  const { moduleId, nowMs, basedOn, changed, images, proposed } = screened
  const bind = (sql: string, list: readonly object[], ...values: unknown[]) =>
    db.prepare(sql).bind(moduleId, JSON.stringify(list), basedOn, ...values)
  const results = await db.batch([
    bind(
      `UPDATE steps SET before_screen = NULL WHERE module_id = ?1 AND before_screen IS NOT NULL AND json_array_length(?2) > 0
         AND id NOT IN (SELECT value->>'id' FROM json_each(?2)) AND ${FENCE}`,
      changed,
    ),
    bind(
      `UPDATE steps SET ${SET_TEXTS}, before_screen = json_object('title', title, 'description', description,
         'commands', json(commands))
       FROM json_each(?2) AS new
       WHERE module_id = ?1 AND steps.id = new.value->>'id' AND ${IS_UNTOUCHED} AND ${FENCE}`,
      changed,
    ),
    bind(
      `UPDATE steps SET image_text = new.value->>'imageText' FROM json_each(?2) AS new
       WHERE module_id = ?1 AND steps.id = new.value->>'id' AND ${FENCE}`,
      images,
    ),
    bind(
      `UPDATE step_proposals SET ${SET_TEXTS} FROM json_each(?2) AS new
       WHERE module_id = ?1 AND step_proposals.id = new.value->>'id' AND decision IS NULL AND ${FENCE}`,
      changed,
    ),
    bind(
      `DELETE FROM step_proposals WHERE module_id = ?1 AND decision IS NULL AND id GLOB '${SCREEN_PROPOSAL}*'
         AND id NOT IN (SELECT value->>'id' FROM json_each(?2)) AND ${FENCE}`,
      proposed,
    ),
    bind(
      `${insertProposals("value->>'startMs'")} WHERE ${FENCE} ON CONFLICT (module_id, id) DO UPDATE SET
         ${setExcluded(CONTENT)}, decision = NULL, replaced = NULL WHERE ${IS_OTHER}`,
      proposed,
    ),
    db
      .prepare(`UPDATE modules SET steps_version = steps_version + 1, updated_at = ?4 WHERE id = ?1 AND ${FENCE}`)
      .bind(moduleId, null, basedOn, nowMs),
  ])
  return results.at(-1)?.meta.changes === 1
}
