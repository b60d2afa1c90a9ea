import { nanoid } from 'nanoid'
import { PEOPLE_MAX } from '#contract/limits.ts'
import type { NewPerson, PersonPatch } from '#contract/team/people.ts'
import type { Context } from '#worker/core/context.ts'
import { AppError } from '#worker/core/errors.ts'
import { runSql } from '#worker/db/db.ts'
import { requireGroups, setGroupsOf } from './group-store.ts'
import { namePerson } from './person-name.ts'
import { findAccountPerson, getPerson, type PersonRow, requireRoom } from './person-store.ts'

type WriteContext = Pick<Context, 'db' | 'd1' | 'nowMs'>

const TAKEN = 'Another person has this number.'

/** Adds a person. @returns the id @throws {AppError} invalid_request for a number that another one has, not_found for a group */
export async function addPerson(
  context: WriteContext,
  orgId: string,
  { groupIds, ...name }: NewPerson,
): Promise<string> {
  await requireGroups(context.db, orgId, groupIds)
  const id = nanoid()
  if (!(await insertPerson(context, orgId, { id, userId: null, ...name }))) throw new AppError('invalid_request', TAKEN)
  await context.d1.batch(setGroupsOf(context.d1, orgId, { personId: id, groupIds }))
  return id
}

/** @returns false where number or account are those of another person @throws {AppError} invalid_request for too many people */
async function insertPerson(
  { d1, nowMs }: WriteContext,
  orgId: string,
  person: Pick<PersonRow, 'id' | 'name' | 'number' | 'email' | 'userId'>,
): Promise<boolean> {
  const { name, number, commitment, names } = await namePerson(person, [])
  const { meta } = await d1
    .prepare(
      `INSERT INTO people (org_id, id, name, number, commitment, names, user_id, is_name_checked, is_active, created_at,
         updated_at, email)
       SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?7 IS NULL, 1, ?8, ?8, ?9 WHERE (SELECT count(*) FROM people WHERE org_id = ?1) < ${PEOPLE_MAX}
       ON CONFLICT DO NOTHING`,
    )
    .bind(orgId, person.id, name, number, commitment, JSON.stringify(names), person.userId, nowMs(), person.email)
    .run()
  if (meta.changes === 1) return true
  await requireRoom(d1, orgId, 1)
  return false
}

/**
 * Changes a person. Of an earlier name its salt is kept, since records mean it. Link and code of who leaves are over, also
 * when they come back.
 * @throws {AppError} not_found; invalid_request for a number that another one has
 */
export async function changePerson(
  context: WriteContext,
  orgId: string,
  { id, groupIds, ...patch }: PersonPatch & { id: string },
): Promise<void> {
  const { d1, nowMs } = context
  const row = await getPerson(context.db, orgId, id)
  if (groupIds !== undefined) await requireGroups(context.db, orgId, groupIds)
  const name = { name: patch.name ?? row.name, number: patch.number === undefined ? row.number : patch.number }
  const isRenamed = name.name !== row.name || name.number !== row.number
  const named = isRenamed ? await namePerson(name, row.names) : row
  const changed = await runSql(
    d1,
    `UPDATE OR IGNORE people SET name = ?3, number = ?4, commitment = ?5, names = ?6, is_active = ?7, updated_at = ?8,
       link_hash = iif(?7, link_hash, NULL), code_hash = iif(?7, code_hash, NULL), access_from = iif(?7, access_from, ?8),
       is_name_checked = is_name_checked OR ?9, email = ?10
     WHERE org_id = ?1 AND id = ?2`,
    orgId,
    id,
    named.name,
    named.number,
    named.commitment,
    JSON.stringify(named.names),
    (patch.isActive ?? row.isActive) ? 1 : 0,
    nowMs(),
    patch.name === undefined ? 0 : 1,
    patch.email === undefined ? row.email : patch.email,
  )
  if (changed !== 1) throw new AppError('invalid_request', TAKEN)
  if (groupIds !== undefined) await d1.batch(setGroupsOf(d1, orgId, { personId: id, groupIds }))
}

/** ?1 organization, ?2 entry, ?3 the entry that is used instead. Of one that is there twice one is left. */
const JOIN_ASSIGNMENTS = `UPDATE assignments SET person_ids = (
    SELECT json_group_array(DISTINCT iif(value = ?2, ?3, value)) FROM json_each(assignments.person_ids))
  WHERE org_id = ?1 AND ended_at IS NULL AND EXISTS (SELECT 1 FROM json_each(assignments.person_ids) WHERE value = ?2)`

/**
 * Joins two entries of one person: the other one is used from now on, with the groups of both, with what is asked of
 * either by name, and with account and address where it has none. Records of the first stay what they are, and are found by it.
 * @throws {AppError} not_found, invalid_request for one and the same entry or two accounts
 */
export async function joinPeople(
  { db, d1, nowMs }: WriteContext,
  orgId: string,
  { id, into }: { id: string; into: string },
): Promise<void> {
  if (id === into) throw new AppError('invalid_request', 'into: must be another entry.')
  const [from, to] = [await getPerson(db, orgId, id), await getPerson(db, orgId, into)]
  if (from.userId !== null && to.userId !== null)
    throw new AppError('invalid_request', 'Both entries have an account, so they are two people.')
  const now = nowMs()
  await d1.batch([
    d1
      .prepare(
        `INSERT INTO group_people (org_id, group_id, person_id)
         SELECT org_id, group_id, ?3 FROM group_people WHERE org_id = ?1 AND person_id = ?2 ON CONFLICT DO NOTHING`,
      )
      .bind(orgId, id, into),
    d1.prepare('DELETE FROM group_people WHERE org_id = ? AND person_id = ?').bind(orgId, id),
    d1.prepare(JOIN_ASSIGNMENTS).bind(orgId, id, into),
    d1
      .prepare(
        `UPDATE people SET joined_to = ?3, is_active = 0, link_hash = NULL, code_hash = NULL, user_id = NULL,
           email = NULL, updated_at = ?4 WHERE org_id = ?1 AND id = ?2`,
      )
      .bind(orgId, id, into, now),
    d1.prepare('UPDATE people SET joined_to = ?3 WHERE org_id = ?1 AND joined_to = ?2').bind(orgId, id, into),
    d1
      .prepare(`UPDATE people SET user_id = coalesce(user_id, ?3), email = coalesce(email, ?5), updated_at = ?4
         WHERE org_id = ?1 AND id = ?2`)
      .bind(orgId, into, from.userId, now, from.email),
  ])
}

/**
 * Finds the person with an account, who is added where there is none yet.
 * @param name what the browser of the account says, which is marked as not checked
 */
export async function ensureAccountPerson(
  context: WriteContext,
  orgId: string,
  { userId, name }: { userId: string; name: string },
): Promise<PersonRow> {
  const found = await findAccountPerson(context.db, orgId, userId)
  if (found !== null) return found
  await insertPerson(context, orgId, { id: nanoid(), userId, name, number: null, email: null })
  const added = await findAccountPerson(context.db, orgId, userId)
  if (added === null) throw new Error('A person that was just added cannot be found.')
  return added
}
