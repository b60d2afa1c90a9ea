import { nanoid } from 'nanoid'
import { ASSIGNMENTS_MAX } from '#contract/limits.ts'
import type { Assignment, NewAssignment } from '#contract/team/assignment.ts'
import type { Context } from '#worker/core/context.ts'
import { AppError } from '#worker/core/errors.ts'
import { listRows } from '#worker/db/db.ts'
import { assignments } from '#worker/db/record-tables.ts'
import { findModule } from '#worker/domain/module/module-store.ts'
import { hasUnknownGroup } from '#worker/domain/person/group-store.ts'
import { personNotFound } from '#worker/domain/person/person-store.ts'
import { ensureAccountPerson } from '#worker/domain/person/write-people.ts'
import { toIso } from '#worker/domain/to-iso.ts'
import { switchVersions } from '#worker/domain/version/publish-version.ts'
import type { Caller } from '#worker/ports/identity.ts'
import { type AssignmentRow, countOpen, listOpen, listTrainings } from './assignment-store.ts'
import { endOfDay, isTimeZone } from './end-of-day.ts'
import { settleAssignments } from './settle-assignments.ts'
import { keepTimeZone, readTimeZone } from './time-zone.ts'

/**
 * Assigns a training, or all of a collection. Their versions are switched on, because a record names a version.
 * @throws {AppError} not_found for what is not of the organization; invalid_request; steps_not_ready, approval_needed as
 *   `switchVersions`
 */
export async function makeAssignment(
  context: Context,
  { caller, orgId }: { caller: Caller; orgId: string },
  asked: NewAssignment,
): Promise<AssignmentRow> {
  const { db, d1, nowMs } = context
  await requirePeople(context, orgId, asked)
  if ((await countOpen(db, orgId)) >= ASSIGNMENTS_MAX)
    throw new AppError('invalid_request', `An organization has at most ${ASSIGNMENTS_MAX} open assignments.`)
  if (!isTimeZone(asked.timeZone)) throw new AppError('invalid_request', 'timeZone: must be the name of a time zone.')
  const { kind, id } = asked.subject
  const subject = { moduleId: kind === 'training' ? id : null, collectionId: kind === 'collection' ? id : null }
  const trainings = await listTrainings(d1, { orgId, ...subject })
  if (trainings.length === 0) throw new AppError('not_found', 'There is no training here that could be assigned.')
  await switchOn(context, caller, trainings)
  await keepTimeZone(db, { orgId, timeZone: asked.timeZone, nowMs: nowMs() })
  const by = await ensureAccountPerson(context, orgId, { userId: caller.userId, name: asked.byName })
  const row: AssignmentRow = {
    orgId,
    id: nanoid(),
    ...subject,
    groupIds: asked.groupIds,
    personIds: asked.personIds,
    rule: asked.rule,
    dueAt: asked.due?.kind === 'day' ? endOfDay(asked.due.day, await readTimeZone(db, orgId)) : null,
    dueDays: asked.due?.kind === 'days' ? asked.due.days : null,
    everyMonths: asked.everyMonths,
    byPersonId: by.id,
    createdAt: nowMs(),
    endedAt: null,
  }
  await db.insert(assignments).values(row)
  return row
}

async function requirePeople(
  { db, d1 }: Pick<Context, 'db' | 'd1'>,
  orgId: string,
  { groupIds, personIds }: NewAssignment,
): Promise<void> {
  if (groupIds.length + personIds.length === 0)
    throw new AppError('invalid_request', 'groupIds: name a group or a person.')
  if (await hasUnknownGroup(db, orgId, groupIds)) throw new AppError('not_found', 'This group could not be found.')
  if (await hasUnknownPerson(d1, orgId, personIds)) throw personNotFound()
}

async function hasUnknownPerson(d1: D1Database, orgId: string, personIds: readonly string[]): Promise<boolean> {
  const unknown = await listRows(
    d1,
    `SELECT 1 FROM json_each(?2) AS asked WHERE NOT EXISTS (
       SELECT 1 FROM people WHERE org_id = ?1 AND id = asked.value AND joined_to IS NULL) LIMIT 1`,
    orgId,
    JSON.stringify(personIds),
  )
  return unknown.length > 0
}

/**
 * Assigns what has come into a collection, and takes back what has gone, where the collection is assigned to anybody.
 * @param before its trainings before the change
 */
export async function settleCollection(
  context: Context,
  caller: Caller,
  { id, orgId, before }: { id: string; orgId: string | null; before: readonly string[] },
): Promise<void> {
  if (orgId === null) return
  const about = (await listOpen(context.db, orgId)).filter(({ collectionId }) => collectionId === id)
  const [first] = about
  if (first === undefined) return
  await switchOn(context, caller, await listTrainings(context.d1, first))
  await settleAssignments(context, orgId, { assignments: about, personIds: null, removed: before })
}

async function switchOn(context: Context, caller: Caller, moduleIds: readonly string[]): Promise<void> {
  for (const moduleId of moduleIds) {
    const module = await findModule(context.db, moduleId)
    if (module?.publishedVersion === null) await switchVersions(context, module, { caller, isOn: true })
  }
}

/** Lists the open assignments of an organization. */
export async function readAssignments({ db, d1 }: Pick<Context, 'db' | 'd1'>, orgId: string): Promise<Assignment[]> {
  const rows = await listOpen(db, orgId)
  const ids = JSON.stringify(rows.map(({ id }) => id))
  const counted = await listRows<{ id: string; people: number; title: string | null }>(
    d1,
    `SELECT a.id, coalesce(m.title, c.title) AS title, (
       SELECT count(*) FROM people AS p WHERE p.org_id = ?1 AND p.is_active = 1 AND p.id IN (
         SELECT value FROM json_each(a.person_ids)
         UNION SELECT person_id FROM group_people WHERE org_id = ?1
           AND group_id IN (SELECT value FROM json_each(a.group_ids)))) AS people
     FROM json_each(?2) AS asked JOIN assignments AS a ON a.org_id = ?1 AND a.id = asked.value
     LEFT JOIN modules AS m ON m.id = a.module_id AND m.org_id = ?1
     LEFT JOIN collections AS c ON c.id = a.collection_id AND c.org_id = ?1`,
    orgId,
    ids,
  )
  const byId = new Map(counted.map((row) => [row.id, row]))
  return rows.map(({ id, moduleId, collectionId, groupIds, personIds, rule, dueAt, dueDays, ...row }) => ({
    id,
    subject: moduleId === null ? { kind: 'collection', id: collectionId ?? '' } : { kind: 'training', id: moduleId },
    title: byId.get(id)?.title ?? null,
    people: byId.get(id)?.people ?? 0,
    groupIds,
    personIds,
    rule,
    dueAt: toIso(dueAt),
    dueDays,
    everyMonths: row.everyMonths,
    createdAt: toIso(row.createdAt),
  }))
}
