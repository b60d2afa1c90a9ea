import { and, asc, eq, isNull } from 'drizzle-orm'
import type { Db } from '#worker/db/db.ts'
import { stepProposals } from '#worker/db/schema.ts'
import {
  IS_ADDED_NOW,
  IS_UNTOUCHED,
  insertSteps,
  NEW_VERSION,
  PROPOSED,
  placeSteps,
  STEP_AS_JSON,
  setEditedVersion,
} from './step-store.ts'
import type { ProposalRow } from './tidy-section.ts'

/** Lists the proposals of the last run that are still undecided, in time order. */
export function listProposals(db: Db, moduleId: string): Promise<ProposalRow[]> {
  return db
    .select()
    .from(stepProposals)
    .where(and(eq(stepProposals.moduleId, moduleId), isNull(stepProposals.decision)))
    .orderBy(asc(stepProposals.position))
}

/** Proposals of one module that a person decides on. */
export interface ProposalsToDecide {
  moduleId: string
  ids: readonly string[]
  nowMs: number
}

const IS_NAMED = 'module_id = ?1 AND id IN (SELECT value FROM json_each(?2))'
const IS_OPEN = `${IS_NAMED} AND decision IS NULL`
/** An untouched step whose middle lies inside a proposal gives way to it. */
const GIVES_WAY = `steps.module_id = ?1 AND ${IS_UNTOUCHED}
  AND (steps.start_ms + steps.end_ms) / 2 BETWEEN new.start_ms AND new.end_ms AND steps.run IS NOT new.run`

/** @returns how many were still open; another person has decided on the others */
export async function rejectProposals(db: D1Database, { moduleId, ids }: ProposalsToDecide): Promise<number> {
  const { meta } = await db
    .prepare(`UPDATE step_proposals SET decision = 'reject' WHERE ${IS_OPEN}`)
    .bind(moduleId, JSON.stringify(ids))
    .run()
  return meta.changes
}

/**
 * Makes proposals steps, in one transaction. They take the place of the steps that no person has touched and whose
 * middle lies inside one of them; those are kept with the proposal.
 * @returns how many were still open; another person has decided on the others
 */
export async function acceptProposals(db: D1Database, { moduleId, ids, nowMs }: ProposalsToDecide): Promise<number> {
  const bind = (sql: string, ...values: unknown[]) => db.prepare(sql).bind(moduleId, JSON.stringify(ids), ...values)
  const results = await db.batch([
    bind(
      `UPDATE step_proposals AS new SET replaced =
         (SELECT json_group_array(${STEP_AS_JSON}) FROM steps WHERE ${GIVES_WAY}) WHERE ${IS_OPEN}`,
    ),
    bind(
      `DELETE FROM steps WHERE module_id = ?1 AND EXISTS (
         SELECT 1 FROM (SELECT * FROM step_proposals WHERE ${IS_OPEN}) AS new WHERE ${GIVES_WAY})`,
    ),
    bind(
      `INSERT INTO steps (module_id, position, added_version, ${PROPOSED})
       SELECT module_id, position, ${NEW_VERSION}, ${PROPOSED}
       FROM step_proposals WHERE ${IS_OPEN} ON CONFLICT DO NOTHING`,
    ),
    bind(`${placeSteps(IS_ADDED_NOW)} AND EXISTS (SELECT 1 FROM step_proposals WHERE ${IS_OPEN})`),
    bind(`${setEditedVersion('?3')} AND EXISTS (SELECT 1 FROM step_proposals WHERE ${IS_OPEN})`, nowMs),
    bind(`UPDATE step_proposals SET decision = 'accept' WHERE ${IS_OPEN}`),
  ])
  return results.at(-1)?.meta.changes ?? 0
}

/** An accepted proposal whose step has not changed since. */
const IS_UNDOABLE = `${IS_NAMED} AND decision = 'accept' AND EXISTS (
  SELECT 1 FROM steps WHERE steps.module_id = ?1 AND steps.id = step_proposals.id AND ${IS_UNTOUCHED})`

/**
 * Reopens decided proposals, in one transaction: the steps that they became go, unless a person has changed them
 * since, and those whose place they took come back.
 * @returns how many are open again
 */
export async function reopenProposals(db: D1Database, { moduleId, ids, nowMs }: ProposalsToDecide): Promise<number> {
  const bind = (sql: string, ...values: unknown[]) => db.prepare(sql).bind(moduleId, JSON.stringify(ids), ...values)
  const isAnyUndoable = `EXISTS (SELECT 1 FROM step_proposals WHERE ${IS_UNDOABLE})`
  const results = await db.batch([
    bind(
      `${insertSteps(`(SELECT * FROM step_proposals WHERE ${IS_UNDOABLE}) AS undone, json_each(undone.replaced)`)}
       WHERE true ON CONFLICT DO NOTHING`,
    ),
    bind(`${placeSteps(IS_ADDED_NOW)} AND ${isAnyUndoable}`),
    bind(`${setEditedVersion('?3')} AND ${isAnyUndoable}`, nowMs),
    bind(
      `DELETE FROM steps WHERE module_id = ?1 AND ${IS_UNTOUCHED}
         AND id IN (SELECT id FROM step_proposals WHERE ${IS_NAMED} AND decision = 'accept')`,
    ),
    bind(
      `UPDATE step_proposals SET decision = NULL, replaced = NULL WHERE ${IS_NAMED} AND decision IS NOT NULL
         AND NOT EXISTS (SELECT 1 FROM steps WHERE steps.module_id = ?1 AND steps.id = step_proposals.id)`,
    ),
  ])
  return results.at(-1)?.meta.changes ?? 0
}
