import { and, asc, count, desc, eq, isNotNull, isNull, lte, sql } from 'drizzle-orm'
import { AppError } from '#worker/core/errors.ts'
import { type Db, listRows } from '#worker/db/db.ts'
import { assignments } from '#worker/db/record-tables.ts'

/** Of the modules `m`. What was assigned before stays so while its video is processed anew. */
const IS_READY = "(m.status = 'READY' AND m.published_version IS NOT NULL)"

/** An assignment as it is kept. */
export type AssignmentRow = typeof assignments.$inferSelect

const isOpenIn = (orgId: string) => and(eq(assignments.orgId, orgId), isNull(assignments.endedAt))

/** Lists the assignments that are open, the newest first. */
export function listOpen(db: Db, orgId: string): Promise<AssignmentRow[]> {
  return db.select().from(assignments).where(isOpenIn(orgId)).orderBy(desc(assignments.createdAt), desc(assignments.id))
}

/** Counts the assignments that are open. */
export async function countOpen(db: Db, orgId: string): Promise<number> {
  return (await db.select({ open: count() }).from(assignments).where(isOpenIn(orgId)).get())?.open ?? 0
}

/** @throws {AppError} not_found, for those of other organizations too */
export async function getAssignment(db: Db, orgId: string, id: string): Promise<AssignmentRow> {
  const isIt = and(eq(assignments.orgId, orgId), eq(assignments.id, id))
  const row = await db.select().from(assignments).where(isIt).get()
  if (row === undefined) throw new AppError('not_found', 'This assignment could not be found.')
  return row
}

/** Ends an assignment; ending it again changes nothing. */
export async function endAssignment(db: Db, { orgId, id }: AssignmentRow, nowMs: number): Promise<void> {
  await db
    .update(assignments)
    .set({ endedAt: nowMs, settleAt: nowMs })
    .where(and(isOpenIn(orgId), eq(assignments.id, id)))
}

/** Lists the assignments whose time has come to be compared with the records, those first that wait the longest. */
export function listToSettle(db: Db, nowMs: number, limit: number): Promise<AssignmentRow[]> {
  return db
    .select()
    .from(assignments)
    .where(and(isNotNull(assignments.settleAt), lte(assignments.settleAt, nowMs)))
    .orderBy(asc(assignments.settleAt))
    .limit(limit)
}

/** Has an assignment compared with the records at a time, by the sweep if nobody does it before. */
export async function settleLaterAt(
  db: Db,
  { orgId, id }: Pick<AssignmentRow, 'orgId' | 'id'>,
  settleAt: number,
): Promise<void> {
  await db
    .update(assignments)
    .set({ settleAt })
    .where(and(eq(assignments.orgId, orgId), eq(assignments.id, id)))
}

/** Notes that the records say what an assignment asks for, unless something has changed since it was read. */
export async function noteSettled(db: Db, { orgId, id, settleAt }: AssignmentRow): Promise<void> {
  if (settleAt === null) return
  const isIt = and(eq(assignments.orgId, orgId), eq(assignments.id, id), eq(assignments.settleAt, settleAt))
  await db.update(assignments).set({ settleAt: null }).where(isIt)
}

/** Ids of the people whom an assignment of the organization `?1` is about: those named and those of its groups. */
const idsOf = (personIds: string, groupIds: string) => `SELECT value FROM json_each(${personIds})
  UNION SELECT person_id FROM group_people WHERE org_id = ?1 AND group_id IN (SELECT value FROM json_each(${groupIds}))`

/** Counts whom assignments are about, with the titles of what they assign; null for one that is gone. */
export function countAssigned(
  d1: D1Database,
  orgId: string,
  ids: readonly string[],
): Promise<{ id: string; people: number; title: string | null }[]> {
  return listRows(
    d1,
    `SELECT a.id, coalesce(m.title, c.title) AS title, (SELECT count(*) FROM people AS p
       WHERE p.org_id = ?1 AND p.is_active = 1 AND p.id IN (${idsOf('a.person_ids', 'a.group_ids')})) AS people
     FROM json_each(?2) AS asked CROSS JOIN assignments AS a ON a.org_id = ?1 AND a.id = asked.value
     LEFT JOIN modules AS m ON m.id = a.module_id AND m.org_id = ?1
     LEFT JOIN collections AS c ON c.id = a.collection_id AND c.org_id = ?1`,
    orgId,
    JSON.stringify(ids),
  )
}

/** A person to whom something is assigned. */
export interface AssignedPerson {
  id: string
  commitment: string
}

/**
 * Lists the people whom an assignment is about: those named and those of its groups, as far as they have not left.
 * @param among these alone; null for all
 */
export function listAssigned(
  d1: D1Database,
  { orgId, personIds, groupIds }: Pick<AssignmentRow, 'orgId' | 'personIds' | 'groupIds'>,
  among: readonly string[] | null,
): Promise<AssignedPerson[]> {
  return listRows<AssignedPerson>(
    d1,
    `SELECT id, commitment FROM people WHERE org_id = ?1 AND is_active = 1 AND id IN (${idsOf('?2', '?3')})
     AND (?4 IS NULL OR id IN (SELECT value FROM json_each(?4))) ORDER BY id`,
    orgId,
    JSON.stringify(personIds),
    JSON.stringify(groupIds),
    among === null ? null : JSON.stringify(among),
  )
}

/** A person and a training of an assignment, as records have it. */
export interface RequestedPair extends AssignedPerson {
  moduleId: string
}

/** What is asked of a deleted training is left as it is while its owners can have it back. */
const IS_RESTORABLE = 'EXISTS (SELECT 1 FROM deleted_modules AS d WHERE d.id = t.module_id AND d.is_final = 0)'

/**
 * Lists what records say that an assignment asks for, of whatever trainings: a collection may have lost some of them, or
 * be gone.
 * @param among of these people alone; null for all
 */
export function listRequested(
  d1: D1Database,
  { orgId, id, moduleId }: Pick<AssignmentRow, 'orgId' | 'id' | 'moduleId'>,
  among: readonly string[] | null,
): Promise<RequestedPair[]> {
  return listRows<RequestedPair>(
    d1,
    `SELECT t.person_id AS id, t.module_id AS moduleId, p.commitment
     FROM person_trainings AS t JOIN people AS p ON p.org_id = t.org_id AND p.id = t.person_id
     WHERE t.org_id = ?1 AND (?3 IS NULL OR t.module_id = ?3)
       AND (?4 IS NULL OR t.person_id IN (SELECT value FROM json_each(?4)))
       AND EXISTS (SELECT 1 FROM json_each(t.known, '$.requests') AS r WHERE r.value ->> 'assignment' = ?2)
       AND NOT ${IS_RESTORABLE}`,
    orgId,
    id,
    moduleId,
    among === null ? null : JSON.stringify(among),
  )
}

/** A training of an assignment. */
export interface MeantTraining {
  id: string
  /** Whether it can be assigned: records name a version. */
  isReady: boolean
}

/** Lists the trainings of an assignment that are there, as far as they are the organization's. */
export async function listTrainings(
  d1: D1Database,
  { orgId, moduleId, collectionId }: Pick<AssignmentRow, 'orgId' | 'moduleId' | 'collectionId'>,
): Promise<MeantTraining[]> {
  const rows = await listRows<{ id: string; isReady: number }>(
    d1,
    `SELECT id, ${IS_READY} AS isReady FROM modules AS m WHERE org_id = ?1 AND received_at IS NOT NULL AND id IN (
       SELECT ?2 UNION SELECT listed.value FROM collections AS c, json_each(c.module_ids) AS listed
       WHERE c.id = ?3 AND c.org_id = ?1) ORDER BY id`,
    orgId,
    moduleId,
    collectionId,
  )
  return rows.map(({ id, isReady }) => ({ id, isReady: isReady === 1 }))
}

/**
 * Lists the assignments that ask something else of these people than records say, those that have ended included. The most
 * of an organization ask the same: they are not looked at one by one.
 */
export async function listUnsettled(
  { db, d1 }: { db: Db; d1: D1Database },
  orgId: string,
  personIds: readonly string[],
): Promise<AssignmentRow[]> {
  const found = await listRows<{ id: string }>(d1, UNSETTLED, orgId, JSON.stringify(personIds))
  if (found.length === 0) return []
  const ids = JSON.stringify(found.map(({ id }) => id))
  const isFound = sql`${assignments.id} IN (SELECT value FROM json_each(${ids}))`
  return db
    .select()
    .from(assignments)
    .where(and(eq(assignments.orgId, orgId), isFound))
}

/**
 * ?1 organization, ?2 people: assignment, person and training, as assignments and groups have it now. Each person is looked
 * up in the groups: to list all of a group for a few would take long.
 */
const MEANT = `SELECT a.id, p.id AS person, m.id AS module
  FROM assignments AS a
  JOIN json_each(?2) AS about
  JOIN people AS p ON p.org_id = ?1 AND p.id = about.value AND p.is_active = 1
    AND (p.id IN (SELECT value FROM json_each(a.person_ids)) OR EXISTS (
      SELECT 1 FROM group_people AS g WHERE g.org_id = ?1 AND g.person_id = p.id
        AND g.group_id IN (SELECT value FROM json_each(a.group_ids))))
  JOIN modules AS m ON m.id IN (
      SELECT a.module_id UNION SELECT listed.value FROM collections AS c, json_each(c.module_ids) AS listed
      WHERE c.id = a.collection_id AND c.org_id = ?1)
    AND m.org_id = ?1 AND m.received_at IS NOT NULL
  WHERE a.org_id = ?1 AND a.ended_at IS NULL`
/** The same as records have it. */
const RECORDED = `SELECT r.value ->> 'assignment', t.person_id, t.module_id
  FROM json_each(?2) AS about CROSS JOIN person_trainings AS t ON t.org_id = ?1 AND t.person_id = about.value,
    json_each(t.known, '$.requests') AS r
  WHERE NOT ${IS_RESTORABLE}`
const UNSETTLED = `SELECT DISTINCT id FROM (
  SELECT * FROM (${MEANT} AND ${IS_READY} EXCEPT ${RECORDED}) UNION ALL SELECT * FROM (${RECORDED} EXCEPT ${MEANT}))`
