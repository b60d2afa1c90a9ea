import { MATRIX_PEOPLE, type MatrixRequest } from '#contract/records/matrix.ts'
import type { StateFrom, TrainingState } from '#contract/records/training-state.ts'
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
const joinTrainings = (rows: 'person_trainings' | 'counted') => `${rows} AS pt
  JOIN modules AS m ON m.id = pt.module_id AND m.org_id = ?1
  LEFT JOIN training_versions AS v ON v.module_id = m.id AND v.number = m.published_version`

const ofEntry = (entry: string, field: 'from' | 'state') => `pt.timeline ->> '$[${entry}][${field === 'from' ? 0 : 1}]'`

/** The state that a timeline has at `?2`. Few have more than three entries, which are found without a search. */
const TIMED_STATE = `CASE
  WHEN ${ofEntry('#-1', 'from')} <= ?2 THEN ${ofEntry('#-1', 'state')}
  WHEN ${ofEntry('1', 'from')} > ?2 THEN ${ofEntry('0', 'state')}
  WHEN ${ofEntry('2', 'from')} > ?2 THEN ${ofEntry('1', 'state')}
  ELSE (SELECT at.value ->> 1 FROM json_each(pt.timeline) AS at WHERE at.value ->> 0 <= ?2 ORDER BY at.key DESC LIMIT 1) END`

const isOlder = (state: string) => `v.hash <> pt.done_hash AND ${state} = 'done'`

/** The state of a row at `?2`, as `stateOf` has it (`contract/records/training-state.ts`). */
const STATE = `iif(${isOlder(TIMED_STATE)}, 'done_older', ${TIMED_STATE})`

/** How many people of a training are in a state. */
export interface StateCount {
  moduleId: string
  title: string
  state: TrainingState
  people: number
}

/**
 * Counts people by training and state, of each training that one of them has a record of. What a row alone says is
 * counted first: looking up training and version of each row would take as long again.
 */
export function countStates(d1: D1Database, scope: MatrixScope): Promise<StateCount[]> {
  return listRows<StateCount>(
    d1,
    `WITH counted AS (
       SELECT pt.module_id, pt.done_hash, ${TIMED_STATE} AS state, count(*) AS people
       FROM people AS p CROSS JOIN person_trainings AS pt
       WHERE pt.org_id = p.org_id AND pt.person_id = p.id AND ${IS_SHOWN} GROUP BY 1, 2, 3)
     SELECT m.id AS moduleId, coalesce(v.title, m.title) AS title,
       iif(${isOlder('pt.state')}, 'done_older', pt.state) AS state, sum(pt.people) AS people
     FROM ${joinTrainings('counted')} WHERE ${IS_LISTED} GROUP BY m.id, 3 ORDER BY title, m.id`,
    ...valuesOf(scope),
  )
}

/** A person as the matrix shows them. */
export interface PersonRow extends PersonAt {
  number: string | null
}

/** Lists the next people by name, and one more than a page has where there are more. */
export function listShownPeople(d1: D1Database, scope: MatrixScope, after: PersonAt | null): Promise<PersonRow[]> {
  const isInState = `(?5 IS NULL OR EXISTS (SELECT 1 FROM ${joinTrainings('person_trainings')}
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
export type CellRow = [
  moduleId: string,
  state: TrainingState,
  doneAt: string | null,
  version: number | null,
  timeline: StateFrom[],
]

/** Reads the cells of people. Those of one person are one value: a page has thousands. */
export async function listCells(
  d1: D1Database,
  scope: MatrixScope,
  personIds: readonly string[],
): Promise<Map<string, CellRow[]>> {
  const rows = await listRows<{ personId: string; cells: string }>(
    d1,
    `SELECT person.value AS personId, (
       SELECT json_group_array(json_array(pt.module_id, ${STATE}, pt.known ->> '$.done.time',
         pt.known ->> '$.done.version.number', json(pt.timeline)))
       FROM ${joinTrainings('person_trainings')}
       WHERE pt.org_id = ?1 AND pt.person_id = person.value AND ?3 IS ?3 AND ${IS_LISTED}) AS cells
     FROM json_each(?5) AS person`,
    ...valuesOf(scope),
    JSON.stringify(personIds),
  )
  return new Map(rows.map(({ personId, cells }) => [personId, JSON.parse(cells) as CellRow[]]))
}

/** Names the groups of an organization: how many are in them, the matrix does not show. */
export function listGroupNames(d1: D1Database, orgId: string): Promise<{ id: string; name: string }[]> {
  return listRows(d1, 'SELECT id, name FROM people_groups WHERE org_id = ? ORDER BY name, id LIMIT 500', orgId)
}
