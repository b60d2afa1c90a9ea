import { and, asc, eq, sql } from 'drizzle-orm'
import { GROUPS_MAX } from '#contract/limits.ts'
import type { Group } from '#contract/team/people.ts'
import type { Context } from '#worker/core/context.ts'
import { AppError } from '#worker/core/errors.ts'
import { type Db, listRows, runSql } from '#worker/db/db.ts'
import { peopleGroups } from '#worker/db/record-tables.ts'

/** A group as it is kept. */
export type GroupRow = typeof peopleGroups.$inferSelect

function groupNotFound(): AppError {
  return new AppError('not_found', 'This group could not be found.')
}

/** Lists the groups of an organization by name. */
export async function listGroups(d1: D1Database, orgId: string): Promise<Group[]> {
  const rows = await listRows<Omit<Group, 'hasLink'> & { hasLink: number }>(
    d1,
    `SELECT id, name, link_hash IS NOT NULL AS hasLink,
       (SELECT count(*) FROM group_people AS g JOIN people AS p ON p.org_id = g.org_id AND p.id = g.person_id
        WHERE g.org_id = ?1 AND g.group_id = own.id AND p.is_active = 1) AS people
     FROM people_groups AS own WHERE org_id = ?1 ORDER BY name COLLATE NOCASE, id`,
    orgId,
  )
  return rows.map((row) => ({ ...row, hasLink: row.hasLink === 1 }))
}

/** @throws {AppError} not_found, for groups of other organizations too */
export async function getGroup(db: Db, orgId: string, id: string): Promise<GroupRow> {
  const isIt = and(eq(peopleGroups.orgId, orgId), eq(peopleGroups.id, id))
  const row = await db.select().from(peopleGroups).where(isIt).orderBy(asc(peopleGroups.id)).get()
  if (row === undefined) throw groupNotFound()
  return row
}

/**
 * Makes the groups that are not there yet, by their names; capitals make no difference.
 * @returns the id of each group by its name as it was given
 * @throws {AppError} invalid_request for too many
 */
export async function ensureGroups(
  d1: D1Database,
  orgId: string,
  { names, makeId, nowMs }: { names: readonly string[]; makeId: () => string; nowMs: number },
): Promise<Map<string, string>> {
  if (names.length === 0) return new Map()
  // The first way to write a name is taken.
  const byKey = new Map(names.toReversed().map((name) => [keyOf(name), name]))
  const before = await readIds(d1, orgId)
  const missing = [...byKey].filter(([key]) => !before.has(key)).map(([, name]) => [makeId(), name])
  if (before.size + missing.length > GROUPS_MAX)
    throw new AppError('invalid_request', `An organization has at most ${GROUPS_MAX} groups.`)
  if (missing.length > 0)
    await runSql(
      d1,
      `INSERT INTO people_groups (org_id, id, name, created_at)
       SELECT ?1, value ->> 0, value ->> 1, ?3 FROM json_each(?2)`,
      orgId,
      JSON.stringify(missing),
      nowMs,
    )
  const after = missing.length === 0 ? before : await readIds(d1, orgId)
  return new Map(names.map((name) => [name, after.get(keyOf(name)) ?? '']))
}

const keyOf = (name: string) => name.toLowerCase()

async function readIds(d1: D1Database, orgId: string): Promise<Map<string, string>> {
  const rows = await listRows<{ id: string; name: string }>(
    d1,
    'SELECT id, name FROM people_groups WHERE org_id = ? ORDER BY created_at DESC, id DESC',
    orgId,
  )
  return new Map(rows.map(({ id, name }) => [keyOf(name), id]))
}

/** @throws {AppError} not_found */
export async function renameGroup(db: Db, orgId: string, { id, name }: { id: string; name: string }): Promise<void> {
  const { id: row } = await getGroup(db, orgId, id)
  await db
    .update(peopleGroups)
    .set({ name })
    .where(and(eq(peopleGroups.orgId, orgId), eq(peopleGroups.id, row)))
}

/** ?1 organization, ?2 group. */
const LEAVE_ASSIGNMENTS = `UPDATE assignments
  SET group_ids = (SELECT json_group_array(value) FROM json_each(assignments.group_ids) WHERE value <> ?2)
  WHERE org_id = ?1 AND ended_at IS NULL AND EXISTS (SELECT 1 FROM json_each(assignments.group_ids) WHERE value = ?2)`
/** ?1 organization, ?2 now. */
const END_EMPTY = `UPDATE assignments SET ended_at = ?2, settle_at = ?2
  WHERE org_id = ?1 AND ended_at IS NULL AND json_array_length(group_ids) = 0 AND json_array_length(person_ids) = 0`

/**
 * Removes a group; its people stay. Assignments that were for it alone end.
 * @returns who was in it
 * @throws {AppError} not_found
 */
export async function removeGroup(
  { d1, nowMs }: Pick<Context, 'd1' | 'nowMs'>,
  orgId: string,
  id: string,
): Promise<string[]> {
  const [removed, left] = await d1.batch<{ id: string }>([
    d1.prepare('DELETE FROM people_groups WHERE org_id = ? AND id = ?').bind(orgId, id),
    d1.prepare('DELETE FROM group_people WHERE org_id = ? AND group_id = ? RETURNING person_id AS id').bind(orgId, id),
    d1.prepare(LEAVE_ASSIGNMENTS).bind(orgId, id),
    d1.prepare(END_EMPTY).bind(orgId, nowMs()),
  ])
  if (removed?.meta.changes !== 1) throw groupNotFound()
  return (left?.results ?? []).map(({ id: personId }) => personId)
}

/** Makes the statements that make these groups, as far as they are there, the groups of a person. */
export function setGroupsOf(
  d1: D1Database,
  orgId: string,
  { personId, groupIds }: { personId: string; groupIds: readonly string[] },
): D1PreparedStatement[] {
  const values = [orgId, personId, JSON.stringify(groupIds)]
  return [
    d1
      .prepare(
        `DELETE FROM group_people WHERE org_id = ?1 AND person_id = ?2
           AND group_id NOT IN (SELECT value FROM json_each(?3))`,
      )
      .bind(...values),
    d1
      .prepare(
        `INSERT INTO group_people (org_id, group_id, person_id)
         SELECT ?1, g.id, ?2 FROM people_groups AS g WHERE g.org_id = ?1 AND g.id IN (SELECT value FROM json_each(?3))
         ON CONFLICT DO NOTHING`,
      )
      .bind(...values),
  ]
}

/** @throws {AppError} not_found where any of the ids is no group of the organization */
export async function requireGroups(db: Db, orgId: string, groupIds: readonly string[]): Promise<void> {
  const row = await db.get<{ missing: number }>(
    sql`SELECT count(*) AS missing FROM json_each(${JSON.stringify(groupIds)}) AS asked
        WHERE NOT EXISTS (SELECT 1 FROM ${peopleGroups} WHERE ${peopleGroups.orgId} = ${orgId}
          AND ${peopleGroups.id} = asked.value)`,
  )
  if (row.missing > 0) throw groupNotFound()
}
