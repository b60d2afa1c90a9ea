import { and, asc, eq, isNull, not, sql } from 'drizzle-orm'
import { type Db, runSql } from '#worker/db/db.ts'
import { stepProposals, steps } from '#worker/db/schema.ts'
import {
  BESIDE_TEXT,
  IS_UNTOUCHED,
  insertSteps,
  NEW_VERSION,
  PROPOSED,
  placeSteps,
  STEP_AS_JSON,
  setEditedVersion,
} from './step-store.ts'
import type { ProposalRow } from './tidy-section.ts'

/** A scene is decided on by the step that a person has saved under its id. */
const IS_NAMED_NOW = sql`EXISTS (SELECT 1 FROM ${steps}
  WHERE ${steps.moduleId} = ${stepProposals.moduleId} AND ${steps.id} = ${stepProposals.id})`

/** Lists the proposals of the last run that are still undecided, in time order. */
export function listProposals(db: Db, moduleId: string): Promise<ProposalRow[]> {
  return db
    .select()
    .from(stepProposals)
    .where(and(eq(stepProposals.moduleId, moduleId), isNull(stepProposals.decision), not(IS_NAMED_NOW)))
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

/** @returns how many were still open; another person has decided on the others */
export async function rejectProposals(db: D1Database, { moduleId, ids }: ProposalsToDecide): Promise<number> {
  const query = `UPDATE step_proposals SET decision = 'reject' WHERE ${IS_OPEN}`
  return runSql(db, query, moduleId, JSON.stringify(ids))
}

/** Steps that give way to a proposal, by its id, in a module with the version of the steps that they were found in. */
export interface AcceptedProposals extends ProposalsToDecide {
  replaced: ReadonlyMap<string, readonly string[]>
  basedOn: number
}

/** The proposals to accept, while the steps are those that `?3` was found in, with the version `?4`. */
const IS_ACCEPTED = `${IS_OPEN} AND (SELECT steps_version FROM modules WHERE id = ?1) = ?4`
/** Steps that give way to the proposal that a name in SQL stands for. */
const replacedBy = (proposal: string) => `
  SELECT given.value FROM json_each(?3) AS pair, json_each(pair.value, '$[1]') AS given
  WHERE pair.value->>0 = ${proposal}.id`
const stepsReplacedBy = (proposal: string) =>
  `steps WHERE steps.module_id = ?1 AND steps.id IN (${replacedBy(proposal)})`
/** The chapter that an accepted proposal has among the steps of the list; its own where they have none. */
const chapterAmong = (proposal: string) => `coalesce(
  (SELECT chapter FROM ${stepsReplacedBy(proposal)} ORDER BY position LIMIT 1),
  (SELECT chapter FROM steps WHERE steps.module_id = ?1 AND start_ms <= ${proposal}.start_ms
   ORDER BY start_ms DESC LIMIT 1),
  ${proposal}.chapter)`
/** Notes that a person has changed, or lets learners read, of the steps that give way: a proposal does not replace them. */
const notesOfPerson = (column: string) => `
  (SELECT ${column} FROM ${stepsReplacedBy('new')} AND (notes_edited OR notes_quotable) ORDER BY notes = '', position LIMIT 1)`
/** What the step of an accepted proposal holds, by column. */
const ACCEPTED = new Map([
  ...PROPOSED.map((name) => [name, `new.${name}`] as const),
  ...BESIDE_TEXT.map(({ name, blank, isJson }) => {
    const value = isJson ? `nullif(${name}, 'null')` : name
    const query = `SELECT ${name} FROM ${stepsReplacedBy('new')} AND ${value} IS NOT ${blank} ORDER BY position LIMIT 1`
    return [name, `coalesce((${query}), ${blank})`] as const
  }),
  ['notes', `coalesce(${notesOfPerson('notes')}, new.notes)`],
  ...['notes_quotable', 'notes_edited'].map((name) => [name, `coalesce(${notesOfPerson(name)}, 0)`] as const),
])
/** A new step without a place in the list, which it gets by its time. */
const isUnplaced = (table: string) => `${table}.position < 0`

/**
 * Makes proposals steps, in one transaction. Each takes the place in the list of the steps that give way to it, with what
 * a person wrote beside them; those are kept with the proposal.
 * @returns how many were still open; none, too, when the steps have another version by now
 */
export async function acceptProposals(
  db: D1Database,
  { moduleId, ids, nowMs, replaced, basedOn }: AcceptedProposals,
): Promise<number> {
  const bind = (sql: string, ...values: unknown[]) =>
    db.prepare(sql).bind(moduleId, JSON.stringify(ids), JSON.stringify([...replaced]), basedOn, ...values)
  const isAnyAccepted = `EXISTS (SELECT 1 FROM step_proposals WHERE ${IS_ACCEPTED})`
  const results = await db.batch([
    bind(
      `UPDATE step_proposals AS new SET replaced =
         (SELECT json_group_array(${STEP_AS_JSON}) FROM ${stepsReplacedBy('new')}),
         chapter = ${chapterAmong('new')} WHERE ${IS_ACCEPTED}`,
    ),
    bind(
      `INSERT INTO steps (module_id, position, added_version, ${[...ACCEPTED.keys()].join(', ')})
       SELECT module_id, coalesce((SELECT min(position) FROM ${stepsReplacedBy('new')}), -1), ${NEW_VERSION},
         ${[...ACCEPTED.values()].join(', ')}
       FROM step_proposals AS new WHERE ${IS_ACCEPTED} ON CONFLICT DO NOTHING`,
    ),
    bind(
      `DELETE FROM steps WHERE module_id = ?1 AND EXISTS (
         SELECT 1 FROM (SELECT * FROM step_proposals WHERE ${IS_ACCEPTED}) AS new WHERE steps.id IN (${replacedBy('new')}))`,
    ),
    bind(`${placeSteps(isUnplaced)} AND ${isAnyAccepted}`),
    bind(`${setEditedVersion('?5')} AND ${isAnyAccepted}`, nowMs),
    // The step of an open proposal is there only if it was accepted just now.
    db
      .prepare(
        `UPDATE step_proposals SET decision = 'accept' WHERE ${IS_OPEN}
           AND EXISTS (SELECT 1 FROM steps WHERE steps.module_id = ?1 AND steps.id = step_proposals.id)`,
      )
      .bind(moduleId, JSON.stringify(ids)),
  ])
  return results.at(-1)?.meta.changes ?? 0
}

/** An accepted proposal whose step has not changed since. */
const IS_UNDOABLE = `${IS_NAMED} AND decision = 'accept' AND EXISTS (
  SELECT 1 FROM steps WHERE steps.module_id = ?1 AND steps.id = step_proposals.id AND ${IS_UNTOUCHED})`

/**
 * Reopens decided proposals, in one transaction: the steps that they became go, unless a person has changed them
 * since, and those that gave way to them come back to that place in the list.
 * @returns how many are open again
 */
export async function reopenProposals(db: D1Database, { moduleId, ids, nowMs }: ProposalsToDecide): Promise<number> {
  const bind = (sql: string, ...values: unknown[]) => db.prepare(sql).bind(moduleId, JSON.stringify(ids), ...values)
  const isAnyUndoable = `EXISTS (SELECT 1 FROM step_proposals WHERE ${IS_UNDOABLE})`
  const place = '(SELECT steps.position FROM steps WHERE steps.module_id = ?1 AND steps.id = undone.id)'
  const results = await db.batch([
    bind(
      `${insertSteps(`(SELECT * FROM step_proposals WHERE ${IS_UNDOABLE}) AS undone, json_each(undone.replaced)`, place)}
       WHERE true ON CONFLICT DO NOTHING`,
    ),
    bind(`${placeSteps(isUnplaced)} AND ${isAnyUndoable}`),
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
