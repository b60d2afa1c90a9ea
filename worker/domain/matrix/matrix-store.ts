import { MATRIX_PEOPLE, type MatrixRequest } from '#contract/records/matrix.ts'
import type { TrainingState } from '#contract/records/training-state.ts'
import { listRows } from '#worker/db/db.ts'

/** Whose matrix is read, of which people and trainings, and when. */
export interface MatrixScope extends Pick<MatrixRequest, 'group' | 'collection' | 'state'> {
  orgId: string
  nowMs: number
}

/** The last row of a page. */
export interface PersonAt {
  name: string
  id: string
}

/** `?1` the organization, `?2` the time, `?3` a group and `?4` a collection or null. */
const valuesOf = ({ orgId, nowMs, group, collection }: MatrixScope) => [orgId, nowMs, group ?? null, collection ?? null]

const IS_SHOWN = `p.org_id = ?1 AND p.is_active = 1 AND p.joined_to IS NULL AND (?3 IS NULL OR EXISTS (
  SELECT 1 FROM group_people AS g WHERE g.org_id = ?1 AND g.group_id = ?3 AND g.person_id = p.id))`

const IS_LISTED = `(?4 IS NULL OR m.id IN (SELECT listed.value FROM collections AS c, json_each(c.module_ids) AS listed
  WHERE c.id = ?4 AND c.org_id = ?1))`

/** Trainings that the organization still has, each with the version that learners see. */
const OF_TRAININGS = `person_trainings AS pt
  JOIN modules AS m ON m.id = pt.module_id AND m.org_id = ?1
  LEFT JOIN training_versions AS v ON v.module_id = m.id AND v.number = m.published_version`

/** The state of a row at `?2`, as `stateOf` has it (`contract/records/training-state.ts`). */
const STATE = `(SELECT CASE WHEN at.value ->> 1 = 'done' AND v.hash <> pt.done_hash THEN 'done_older' ELSE at.value ->> 1 END
  FROM json_each(pt.timeline) AS at WHERE at.value ->> 0 <= ?2 ORDER BY at.key DESC LIMIT 1)`

/** How many people of a training are in a state. */
export interface StateCount {
  moduleId: string
  title: string
  state: TrainingState
  people: number
}

/** Counts people by training and state, of each training that one of them has a record of. */
export function countStates(d1: D1Database, scope: MatrixScope): Promise<StateCount[]> {
  return listRows<StateCount>(
    d1,
    `SELECT m.id AS moduleId, coalesce(v.title, m.title) AS title, ${STATE} AS state, count(*) AS people
     FROM people AS p CROSS JOIN ${OF_TRAININGS}
     WHERE pt.org_id = p.org_id AND pt.person_id = p.id AND ${IS_SHOWN} AND ${IS_LISTED}
     GROUP BY m.id, 3 ORDER BY title, m.id`,
    ...valuesOf(scope),
  )
}

/** A person as the matrix shows them. */
export interface PersonRow extends PersonAt {
  number: string | null
}

/** Lists the next people by name, and one more than a page has where there are more. */
export function listShownPeople(d1: D1Database, scope: MatrixScope, after: PersonAt | null): Promise<PersonRow[]> {
  const isInState = `(?5 IS NULL OR EXISTS (SELECT 1 FROM ${OF_TRAININGS}
    WHERE pt.org_id = ?1 AND pt.person_id = p.id AND ${IS_LISTED} AND ${STATE} = ?5))`
  return listRows<PersonRow>(
    d1,
    `SELECT p.id, p.name, p.number FROM people AS p
     WHERE ${IS_SHOWN} AND ${isInState} AND (?6 IS NULL OR (p.name, p.id) > (?6, ?7))
     ORDER BY p.name, p.id LIMIT ${MATRIX_PEOPLE + 1}`,
    ...valuesOf(scope),
    scope.state ?? null,
    after?.name ?? null,
    after?.id ?? null,
  )
}

/** What a cell shows. */
export interface CellRow {
  personId: string
  moduleId: string
  state: TrainingState
  doneAt: string | null
  version: number | null
  /** `StateFrom[]` in JSON. */
  timeline: string
}

/** Reads the cells of people. */
export function listCells(d1: D1Database, scope: MatrixScope, personIds: readonly string[]): Promise<CellRow[]> {
  return listRows<CellRow>(
    d1,
    `SELECT pt.person_id AS personId, pt.module_id AS moduleId, ${STATE} AS state, pt.known ->> '$.done.time' AS doneAt,
            pt.known ->> '$.done.version.number' AS version, pt.timeline
     FROM json_each(?5) AS person CROSS JOIN ${OF_TRAININGS}
     WHERE pt.org_id = ?1 AND pt.person_id = person.value AND ?3 IS ?3 AND ${IS_LISTED}`,
    ...valuesOf(scope),
    JSON.stringify(personIds),
  )
}

/** Names the groups of an organization: how many are in them, the matrix does not show. */
export function listGroupNames(d1: D1Database, orgId: string): Promise<{ id: string; name: string }[]> {
  return listRows(d1, 'SELECT id, name FROM people_groups WHERE org_id = ? ORDER BY name, id LIMIT 500', orgId)
}
