import type { RecordedPerson } from '#contract/records/training-record.ts'
import type { Context } from '#worker/core/context.ts'
import { AppError } from '#worker/core/errors.ts'
import { listRows } from '#worker/db/db.ts'
import { appendRecords } from './append-records.ts'
import { requireNoHold } from './record-keeping.ts'

type EraseContext = Pick<Context, 'db' | 'd1' | 'nowMs'>

/**
 * Lists the entries that are erased with a person: their own and those that were joined to it.
 * @throws {AppError} not_found; on_hold
 */
export async function listErasable({ db, d1 }: EraseContext, orgId: string, personId: string): Promise<string[]> {
  await requireNoHold(db, orgId)
  const entries = await listRows<{ id: string }>(
    d1,
    'SELECT id FROM people WHERE org_id = ?1 AND (id = ?2 OR joined_to = ?2) ORDER BY id',
    orgId,
    personId,
  )
  if (entries.length === 0) throw new AppError('not_found', 'This person could not be found.')
  return entries.map(({ id }) => id)
}

/**
 * Erases who a person is, under all of their entries: the names with their salts, groups, assignments and what is known of
 * their trainings. Records stay as they are and mean nobody any more.
 * @param by null for an account that is erased
 * @throws {AppError} not_found; on_hold
 */
export async function erasePerson(
  context: EraseContext,
  orgId: string,
  { personId, by }: { personId: string; by: RecordedPerson | null },
): Promise<void> {
  const ids = await listErasable(context, orgId, personId)
  // A hold is a record, so one that begins meanwhile is seen.
  const bodies = async () => {
    await requireNoHold(context.db, orgId)
    return ids.map((id) => ({ kind: 'erased', personId: id, by }) as const)
  }
  await appendRecords(context, orgId, { bodies, statements: removePeople(context.d1, orgId, ids) })
}

function removePeople(d1: D1Database, orgId: string, ids: readonly string[]): D1PreparedStatement[] {
  const erased = '(SELECT value FROM json_each(?2))'
  const statements = [
    `DELETE FROM people WHERE org_id = ?1 AND id IN ${erased}`,
    `DELETE FROM group_people WHERE org_id = ?1 AND person_id IN ${erased}`,
    `DELETE FROM person_trainings WHERE org_id = ?1 AND person_id IN ${erased}`,
    `UPDATE assignments SET person_ids =
       (SELECT json_group_array(value) FROM json_each(assignments.person_ids) WHERE value NOT IN ${erased})
     WHERE org_id = ?1 AND EXISTS (SELECT 1 FROM json_each(assignments.person_ids) WHERE value IN ${erased})`,
  ]
  return statements.map((sql) => d1.prepare(sql).bind(orgId, JSON.stringify(ids)))
}
