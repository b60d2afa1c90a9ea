import { nanoid } from 'nanoid'
import { ASSIGNMENTS_MAX } from '#contract/limits.ts'
import type { Assignment, NewAssignment } from '#contract/team/assignment.ts'
import type { Context } from '#worker/core/context.ts'
import { AppError } from '#worker/core/errors.ts'
import { listRows } from '#worker/db/db.ts'
import { assignments } from '#worker/db/record-tables.ts'
import { findModule } from '#worker/domain/module/module-store.ts'
import { requireGroups } from '#worker/domain/person/group-store.ts'
import { findPerson, personNotFound } from '#worker/domain/person/person-store.ts'
import { ensureAccountPerson } from '#worker/domain/person/write-people.ts'
import { toIso } from '#worker/domain/to-iso.ts'
import { switchVersions } from '#worker/domain/version/publish-version.ts'
import { logLine } from '#worker/log/log.ts'
import type { Caller } from '#worker/ports/identity.ts'
import {
  type AssignmentRow,
  countAssigned,
  countOpen,
  listOpen,
  listTrainings,
  type MeantTraining,
} from './assignment-store.ts'
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
  if (!(await switchOn(context, caller, await listTrainings(d1, { orgId, ...subject }))))
    throw new AppError('not_found', 'There is no training here that could be assigned.')
  await keepTimeZone(d1, { orgId, timeZone: asked.timeZone, nowMs: nowMs() })
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
    countsEarlier: asked.countsEarlier,
    byPersonId: by.id,
    createdAt: nowMs(),
    endedAt: null,
    settleAt: nowMs(),
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
  await requireGroups(db, orgId, groupIds)
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
 * Switches on the versions of what is to come into a collection, where the collection is assigned to anybody: before it
 * comes in, so that a collection whose trainings may not be assigned stays what it is.
 * @throws {AppError} approval_needed; invalid_request without the name that the rules ask for; steps_not_ready, as `switchVersions`
 */
export async function prepareCollection(
  context: Context,
  caller: Caller,
  { id, orgId, moduleIds }: { id: string; orgId: string | null; moduleIds: readonly string[] },
): Promise<void> {
  if (orgId === null || (await listOpenOf(context.db, orgId, id)).length === 0) return
  const meant = await Promise.all(
    moduleIds.map((moduleId) => listTrainings(context.d1, { orgId, moduleId, collectionId: null })),
  )
  await switchOn(context, caller, meant.flat())
}

/** Assigns what has come into a collection, and takes back what has gone. */
export async function settleCollection(
  context: Context,
  { id, orgId }: { id: string; orgId: string | null },
): Promise<void> {
  if (orgId === null) return
  const assignments = await listOpenOf(context.db, orgId, id)
  await settleAssignments(context, orgId, { assignments, personIds: null })
}

async function listOpenOf(db: Context['db'], orgId: string, collectionId: string): Promise<AssignmentRow[]> {
  return (await listOpen(db, orgId)).filter((row) => row.collectionId === collectionId)
}

/** The sweep's part: what requests have left, and trainings that could not be assigned before. */
export async function settleLate(context: Context, row: AssignmentRow): Promise<boolean> {
  await switchOnLate(context, row)
  return (await settleAssignments(context, row.orgId, { assignments: [row], personIds: null })) === 0
}

/** For who assigned it, with the rights of any member; what needs a release waits for it. */
async function switchOnLate(context: Context, row: AssignmentRow): Promise<void> {
  const { orgId } = row
  const userId = row.endedAt === null ? (await findPerson(context.db, orgId, row.byPersonId))?.userId : null
  if (!userId) return
  const caller = { userId, orgId, orgRole: null, orgPermissions: [] }
  for (const training of await listTrainings(context.d1, row)) {
    try {
      await switchOn(context, caller, [training])
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      logLine('info', 'versions_stay_off', { moduleId: training.id, code: error.code })
    }
  }
}

/** @returns whether there is any that is ready */
async function switchOn(context: Context, caller: Caller, trainings: readonly MeantTraining[]): Promise<boolean> {
  let isAnyReady = false
  for (const { id, isReady } of trainings) {
    const module = isReady ? null : await findModule(context.db, id)
    if (module?.status === 'READY' && module.publishedVersion === null)
      await switchVersions(context, module, { caller, isOn: true })
    isAnyReady ||= isReady || module?.status === 'READY'
  }
  return isAnyReady
}

/** Lists the open assignments of an organization. */
export async function readAssignments({ db, d1 }: Pick<Context, 'db' | 'd1'>, orgId: string): Promise<Assignment[]> {
  const rows = await listOpen(db, orgId)
  const counted = await countAssigned(
    d1,
    orgId,
    rows.map(({ id }) => id),
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
    countsEarlier: row.countsEarlier,
    createdAt: toIso(row.createdAt),
  }))
}
