import { listRows } from '#worker/db/db.ts'

/** How near a date is; of each date a person is reminded once at each. */
export const STAGES = { soon: 1, today: 2, overdue: 3 } as const

/** Days as an organization has them: when yesterday, today and the last day ended or end that is looked at. */
export interface DaysNow {
  orgId: string
  fromMs: number
  yesterdayMs: number
  todayMs: number
  soonMs: number
}

/** A person and a training whose date is near or over. */
export interface DueRow {
  personId: string
  moduleId: string
  dueMs: number
  stage: number
  /** Whether mail is wanted, and the person has an address and was not reminded yet of this date as near as it is. */
  isToRemind: number
  /** Whether the date has passed and nobody was told. */
  isToTell: number
}

/** Pairs of an organization that are told of in one day at most. What is late comes first, and is told but once. */
const PAIRS_PER_DAY = 5_000

/**
 * The date of a person and a training that counts: the last that comes within a week, or has passed by no more than a
 * fortnight. A day ends with its last millisecond, and the state of who is late begins with the next one (`timelineOf`).
 * `?1` organization, `?2` and `?5` from and until when, `?3` and `?4` the ends of yesterday and today, `?6` whether
 * mail is wanted.
 */
const DUE = `SELECT pt.person_id AS personId, pt.module_id AS moduleId, p.email, pt.reminded_of, pt.reminded_stage,
    pt.overdue_told, (SELECT (at.value ->> 0) - 1 FROM json_each(pt.timeline) AS at
      WHERE at.value ->> 1 IN ('overdue', 'expired') AND (at.value ->> 0) - 1 BETWEEN ?2 AND ?5
      ORDER BY at.key DESC LIMIT 1) AS dueMs
  FROM people AS p CROSS JOIN person_trainings AS pt ON pt.org_id = p.org_id AND pt.person_id = p.id
  JOIN modules AS m ON m.id = pt.module_id AND m.org_id = pt.org_id
  WHERE p.org_id = ?1 AND p.is_active = 1 AND p.joined_to IS NULL`
/** The same of one person, `?7`, found by the primary key. */
const DUE_OF_PERSON = `${DUE} AND p.id = ?7`
const STAGE = `CASE WHEN dueMs <= ?3 THEN ${STAGES.overdue} WHEN dueMs <= ?4 THEN ${STAGES.today} ELSE ${STAGES.soon} END`

/**
 * Lists what is to be told of an organization.
 * @param personId of this person alone; left out for all
 * @param wantsMail whether anybody is to be reminded; otherwise only what is late is listed
 */
export function listDue(
  d1: D1Database,
  days: DaysNow,
  { personId, wantsMail }: { personId?: string; wantsMail: boolean },
): Promise<DueRow[]> {
  return listRows<DueRow>(
    d1,
    `SELECT * FROM (
       SELECT personId, moduleId, dueMs, ${STAGE} AS stage,
         ?6 AND email IS NOT NULL AND (reminded_of IS NOT dueMs OR reminded_stage < ${STAGE}) AS isToRemind,
         dueMs <= ?3 AND overdue_told IS NOT dueMs AS isToTell
       FROM (${personId === undefined ? DUE : DUE_OF_PERSON}) WHERE dueMs IS NOT NULL)
     WHERE isToRemind OR isToTell ORDER BY isToTell DESC, dueMs DESC, personId, moduleId LIMIT ${PAIRS_PER_DAY}`,
    days.orgId,
    days.fromMs,
    days.yesterdayMs,
    days.todayMs,
    days.soonMs,
    wantsMail ? 1 : 0,
    ...(personId === undefined ? [] : [personId]),
  )
}

const markRows = (rows: readonly DueRow[]) =>
  JSON.stringify(rows.map(({ personId, moduleId, dueMs, stage }) => [personId, moduleId, dueMs, stage]))
const ARE_MARKED = `FROM (SELECT value AS mark FROM json_each(?2))
  WHERE org_id = ?1 AND person_id = mark ->> 0 AND module_id = mark ->> 1`

/** Makes the statement that notes that a person was reminded. */
export function markReminded(d1: D1Database, orgId: string, rows: readonly DueRow[]): D1PreparedStatement {
  const sql = `UPDATE person_trainings SET reminded_of = mark ->> 2, reminded_stage = mark ->> 3 ${ARE_MARKED}`
  return d1.prepare(sql).bind(orgId, markRows(rows))
}

/** Makes the statement that notes that it was told what is overdue. */
export function markTold(d1: D1Database, orgId: string, rows: readonly DueRow[]): D1PreparedStatement {
  const sql = `UPDATE person_trainings SET overdue_told = mark ->> 2 ${ARE_MARKED}`
  return d1.prepare(sql).bind(orgId, markRows(rows))
}

/** An organization in which it may be looked up what is due. */
export interface PlannedOrg {
  orgId: string
  timeZone: string
  sendsReminders: boolean
  plannedDay: string | null
}

interface OrgRow extends Omit<PlannedOrg, 'sendsReminders'> {
  sendsReminders: number
}

const ORG = `o.id AS orgId, coalesce(g.time_zone, 'UTC') AS timeZone, coalesce(g.sends_reminders, 1) AS sendsReminders,
  g.planned_day AS plannedDay FROM orgs AS o LEFT JOIN glossaries AS g ON g.org_id = o.id`

/** Its index holds those few alone. */
const SCHEDULED = 'modules INDEXED BY modules_review_due_by_org WHERE review_due_at IS NOT NULL'

/**
 * Lists organizations with people who are trained, or versions that are looked at again, whose last planning was before
 * a day.
 */
export async function listUnplanned(d1: D1Database, day: string, limit: number): Promise<PlannedOrg[]> {
  const rows = await listRows<OrgRow>(
    d1,
    `WITH RECURSIVE trained (id) AS (
       SELECT min(org_id) FROM person_trainings
       UNION ALL
       SELECT (SELECT min(org_id) FROM person_trainings WHERE org_id > trained.id) FROM trained WHERE id IS NOT NULL),
     reviewed (id) AS (
       SELECT min(org_id) FROM ${SCHEDULED}
       UNION ALL
       SELECT (SELECT min(org_id) FROM ${SCHEDULED} AND org_id > reviewed.id) FROM reviewed WHERE id IS NOT NULL),
     orgs (id) AS (SELECT id FROM trained UNION SELECT id FROM reviewed)
     SELECT ${ORG} WHERE o.id IS NOT NULL AND coalesce(g.planned_day, '') < ?1
     ORDER BY g.planned_day LIMIT ?2`,
    day,
    limit,
  )
  return rows.map(toOrg)
}

/** Reads how one organization is reminded. */
export async function readPlannedOrg(d1: D1Database, orgId: string): Promise<PlannedOrg> {
  const [row] = await listRows<OrgRow>(d1, `WITH orgs (id) AS (SELECT ?1) SELECT ${ORG}`, orgId)
  return toOrg(row ?? { orgId, timeZone: 'UTC', sendsReminders: 1, plannedDay: null })
}

const toOrg = ({ sendsReminders, ...org }: OrgRow): PlannedOrg => ({ ...org, sendsReminders: sendsReminders === 1 })

/**
 * Makes the statement that notes the day for which it was looked up what is due. Not by `setSettings`: nobody has set
 * anything, and `updated_at` tells which settings nobody uses any more.
 */
export function markPlanned(
  d1: D1Database,
  { orgId, day, nowMs }: { orgId: string; day: string; nowMs: number },
): D1PreparedStatement {
  const sql = `INSERT INTO glossaries (org_id, words, planned_day, updated_at) VALUES (?1, '', ?2, ?3)
    ON CONFLICT (org_id) DO UPDATE SET planned_day = excluded.planned_day`
  return d1.prepare(sql).bind(orgId, day, nowMs)
}

/** A person who is reminded. */
interface Recipient {
  name: string
  email: string
  /** In which language they last confirmed a training; null where they never did. */
  language: string | null
}

/** Finds who is reminded; null for who has no address, or has left. */
export async function findRecipient(d1: D1Database, orgId: string, personId: string): Promise<Recipient | null> {
  const [row] = await listRows<Recipient>(
    d1,
    `SELECT name, email, (
       SELECT r.text ->> '$.body.language' FROM record_subjects AS s
       CROSS JOIN training_records AS r ON r.org_id = s.org_id AND r.seq = s.seq
       WHERE s.org_id = ?1 AND s.person_id = ?2 AND r.kind = 'confirmed' ORDER BY s.seq DESC LIMIT 1) AS language
     FROM people WHERE org_id = ?1 AND id = ?2 AND is_active = 1 AND email IS NOT NULL`,
    orgId,
    personId,
  )
  return row ?? null
}

/** Reads title and language of trainings as learners see them. */
export function listTitles(
  d1: D1Database,
  moduleIds: readonly string[],
): Promise<{ id: string; title: string; language: string | null }[]> {
  return listRows(
    d1,
    `SELECT m.id, coalesce(v.title, m.title) AS title, m.language FROM json_each(?1) AS asked
     JOIN modules AS m ON m.id = asked.value
     LEFT JOIN training_versions AS v ON v.module_id = m.id AND v.number = m.published_version`,
    JSON.stringify(moduleIds),
  )
}
