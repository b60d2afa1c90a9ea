import { and, asc, eq, inArray, lte, sql } from 'drizzle-orm'
import { SHOWN_REPORTS_MAX } from '#contract/limits.ts'
import { type Db, deleteInSteps, listRows, runSql } from '#worker/db/db.ts'
import { IS_REPORT_EXPIRING, stepReports } from '#worker/db/learner-tables.ts'
import type { PageAt } from '#worker/db/read-pages.ts'
import { addUsesSql, findOverSql, type LearningUse } from '#worker/domain/learning/learning-limits.ts'
import { type ListOwner, listOwnerOf } from '#worker/domain/organization/membership.ts'
import type { Caller } from '#worker/ports/identity.ts'

/** One report of one device. */
export type StepReportRow = typeof stepReports.$inferSelect
type NewRow = Omit<StepReportRow, 'isIgnored' | 'settledAt' | 'answer'>

/** ?1 module, ?2 id, ?3 now, ?9 day, ?10 uses. What a device sends that its trainer ignores is not kept. */
const INSERT = `
  INSERT INTO step_reports (module_id, id, created_at, step_id, kind, text, photo_type, learner_id)
  SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8
  WHERE EXISTS (SELECT 1 FROM modules WHERE id = ?1)
    AND NOT EXISTS (SELECT 1 FROM step_reports WHERE learner_id = ?8 AND module_id = ?1 AND is_ignored = 1)
    AND NOT EXISTS (${findOverSql('?9', '?10')})
  ON CONFLICT DO NOTHING`
/** What came again at another moment counts no second time. */
const IS_NEW = 'EXISTS (SELECT 1 FROM step_reports WHERE module_id = ?1 AND id = ?2 AND created_at = ?3)'

/** Keeps a report and counts it, unless it is known, ignored, or over a limit of the day. @returns whether it is new */
export async function insertReport(
  d1: D1Database,
  row: NewRow,
  { day, uses }: { day: string; uses: readonly LearningUse[] },
): Promise<boolean> {
  const { moduleId, id, createdAt, stepId, kind, text, photoType, learnerId } = row
  const summed = JSON.stringify(uses)
  const contents = [stepId, kind, text, photoType, learnerId]
  const [inserted] = await d1.batch([
    d1.prepare(INSERT).bind(moduleId, id, createdAt, ...contents, day, summed),
    d1.prepare(addUsesSql(IS_NEW)).bind(moduleId, id, createdAt, day, summed),
  ])
  return inserted?.meta.changes === 1
}

const isIt = (moduleId: string, id: string) => and(eq(stepReports.moduleId, moduleId), eq(stepReports.id, id))

/** Finds a report of a module. */
export async function findReport(db: Db, moduleId: string, id: string): Promise<StepReportRow | null> {
  const [row] = await db.select().from(stepReports).where(isIt(moduleId, id))
  return row ?? null
}

/** Whether the trainer of a module ignores a device. */
export async function isIgnored(db: Db, moduleId: string, learnerId: string): Promise<boolean> {
  const { isIgnored: ignored } = stepReports
  const isTheirs = and(eq(stepReports.learnerId, learnerId), eq(stepReports.moduleId, moduleId), eq(ignored, true))
  return (await db.select({ id: stepReports.id }).from(stepReports).where(isTheirs).limit(1)).length > 0
}

/** The step of a report `r` as the draft has it; null where it is gone. */
const PLACE = '(SELECT s.id FROM steps AS s WHERE s.module_id = r.module_id AND s.id = r.step_id)'

/** All reports of one kind about one step that are open. */
export type EntryRow = Pick<StepReportRow, 'stepId' | 'kind'> & { count: number; lastAt: number; hidden: number }

const ENTRIES = `
  SELECT ${PLACE} AS stepId, r.kind, count(DISTINCT r.learner_id) AS count, max(r.created_at) AS lastAt,
         count(*) OVER () - ?2 AS hidden
  FROM step_reports AS r WHERE r.module_id = ?1 AND r.settled_at IS NULL AND r.is_ignored = 0
  GROUP BY 1, 2 ORDER BY r.kind <> 'dangerous', count DESC, lastAt DESC LIMIT ?2`
/**
 * Those of an entry are found by a number that grows with their age. Bare ones say and show nothing: the newest of each
 * device is enough, and without any such a device could not be ignored.
 */
const SHOWN = `
  SELECT * FROM (
    SELECT *, row_number() OVER (PARTITION BY stepId, kind, isBare ORDER BY createdAt DESC) AS age FROM (
      SELECT r.id, ${PLACE} AS stepId, r.kind, r.text, r.photo_type AS photoType, r.created_at AS createdAt,
             r.text = '' AND r.photo_type IS NULL AS isBare,
             row_number() OVER (PARTITION BY ${PLACE}, r.kind, r.learner_id, r.text = '' AND r.photo_type IS NULL
               ORDER BY r.created_at DESC) AS ofDevice
      FROM step_reports AS r WHERE r.module_id = ?1 AND r.settled_at IS NULL AND r.is_ignored = 0)
    WHERE NOT isBare OR ofDevice = 1)
  WHERE age <= ${SHOWN_REPORTS_MAX} ORDER BY isBare, createdAt DESC`

/** A report of an entry. */
export type ShownReport = Pick<StepReportRow, 'id' | 'stepId' | 'kind' | 'text' | 'photoType' | 'createdAt'>

/** Reads the open entries of a module, dangers first, and the newest reports of each. */
export async function readOpenReports(
  d1: D1Database,
  moduleId: string,
  limit: number,
): Promise<{ entries: EntryRow[]; shown: ShownReport[] }> {
  const [entries, shown] = await d1.batch([d1.prepare(ENTRIES).bind(moduleId, limit), d1.prepare(SHOWN).bind(moduleId)])
  return { entries: (entries?.results ?? []) as EntryRow[], shown: (shown?.results ?? []) as ShownReport[] }
}

/** Names an entry of a module. */
export type EntryKey = Pick<StepReportRow, 'moduleId' | 'stepId' | 'kind'>

/** ?1 module, ?2 step, ?3 kind. */
const OF_ENTRY = `module_id = ?1 AND kind = ?3 AND ${PLACE} IS ?2`

/** Settles what is open of an entry up to a moment. */
export async function settleReports(
  d1: D1Database,
  { moduleId, stepId, kind }: EntryKey,
  { lastAt, settledAt, answer }: { lastAt: number; settledAt: number; answer: string },
): Promise<void> {
  const query = `UPDATE step_reports AS r SET settled_at = ?5, answer = ?6
    WHERE ${OF_ENTRY} AND settled_at IS NULL AND is_ignored = 0 AND created_at <= ?4`
  await runSql(d1, query, moduleId, stepId, kind, lastAt, settledAt, answer)
}

/** Opens again what was settled at a moment. */
export async function reopenReports(
  d1: D1Database,
  { moduleId, stepId, kind }: EntryKey,
  settledAt: number,
): Promise<void> {
  const query = `UPDATE step_reports AS r SET settled_at = NULL, answer = '' WHERE ${OF_ENTRY} AND settled_at = ?4`
  await runSql(d1, query, moduleId, stepId, kind, settledAt)
}

/** Leaves out all of a module that the device sent which sent this report; or shows it again. */
export async function setIgnored(
  d1: D1Database,
  { moduleId, id, isIgnored: ignored }: Pick<StepReportRow, 'moduleId' | 'id' | 'isIgnored'>,
): Promise<void> {
  const query = `UPDATE step_reports SET is_ignored = ?3 WHERE module_id = ?1
    AND learner_id = (SELECT learner_id FROM step_reports WHERE module_id = ?1 AND id = ?2)`
  await runSql(d1, query, moduleId, id, Number(ignored))
}

/** Those of some reports of a module that are settled. */
export function listSettled(db: Db, moduleId: string, ids: readonly string[]) {
  const { id, settledAt, answer, isIgnored: ignored } = stepReports
  const isAsked = and(eq(stepReports.moduleId, moduleId), inArray(id, [...ids]), eq(ignored, false))
  return db
    .select({ id, settledAt, answer })
    .from(stepReports)
    .where(and(isAsked, sql`${settledAt} IS NOT NULL`))
}

const countsOf = ({ column }: ListOwner) => `
  SELECT m.id AS moduleId, m.title, count(*) AS open, sum(r.kind = 'dangerous') AS dangerous
  FROM modules AS m JOIN step_reports AS r ON r.module_id = m.id AND r.settled_at IS NULL AND r.is_ignored = 0
  WHERE m.${column} = ?1 GROUP BY m.id ORDER BY dangerous DESC, open DESC, m.created_at DESC LIMIT ?2`

/** Counts the open reports of the modules that the caller's lists show, dangers first. */
export function countOpenReports(d1: D1Database, caller: Caller, limit: number) {
  const owner = listOwnerOf(caller)
  type Row = { moduleId: string; title: string; open: number; dangerous: number }
  return listRows<Row>(d1, countsOf(owner), owner.id, limit)
}

/** Lists reports of which something has had its time: settled or ignored ones, and photos. */
export function listExpired(
  db: Db,
  { beforeMs, limit }: { beforeMs: number; limit: number },
): Promise<Pick<StepReportRow, 'moduleId' | 'id' | 'photoType'>[]> {
  const { moduleId, id, photoType, createdAt } = stepReports
  return db
    .select({ moduleId, id, photoType })
    .from(stepReports)
    .where(sql`${createdAt} < ${beforeMs} AND ${IS_REPORT_EXPIRING}`)
    .orderBy(asc(createdAt))
    .limit(limit)
}

/** Removes expired reports whose photos are gone; of those that are open, only that they had one. */
export async function removeExpired(d1: D1Database, expired: readonly Pick<StepReportRow, 'moduleId' | 'id'>[]) {
  const which = `(module_id, id) IN (SELECT value->>'moduleId', value->>'id' FROM json_each(?1))`
  const keys = JSON.stringify(expired.map(({ moduleId, id }) => ({ moduleId, id })))
  await d1.batch([
    d1.prepare(`DELETE FROM step_reports WHERE ${which} AND (settled_at IS NOT NULL OR is_ignored = 1)`).bind(keys),
    d1.prepare(`UPDATE step_reports SET photo_type = NULL WHERE ${which}`).bind(keys),
  ])
}

/** Lists what one learner reported, by module and id, after one of it. */
export function listReportsOf(
  db: Db,
  learnerId: string,
  { after, limit }: PageAt<StepReportRow>,
): Promise<StepReportRow[]> {
  const { moduleId, id } = stepReports
  const isLater = sql`(${moduleId}, ${id}) > (${after?.moduleId ?? ''}, ${after?.id ?? ''})`
  return db
    .select()
    .from(stepReports)
    .where(and(eq(stepReports.learnerId, learnerId), isLater))
    .orderBy(asc(moduleId), asc(id))
    .limit(limit)
}

/** Reports of one learner: of one module, or of all. */
export type ReportsOf = Pick<StepReportRow, 'learnerId'> & Partial<Pick<StepReportRow, 'moduleId'>>

/** Lists some of what one learner reported by a moment. */
export function listReportsBefore(
  db: Db,
  { learnerId, moduleId: ofModule, beforeMs, limit }: ReportsOf & { beforeMs: number; limit: number },
): Promise<Pick<StepReportRow, 'moduleId' | 'id' | 'photoType'>[]> {
  const { moduleId, id, photoType, createdAt } = stepReports
  return db
    .select({ moduleId, id, photoType })
    .from(stepReports)
    .where(
      and(
        eq(stepReports.learnerId, learnerId),
        ofModule === undefined ? undefined : eq(moduleId, ofModule),
        lte(createdAt, beforeMs),
      ),
    )
    .limit(limit)
}

/** Gives what one learner reported from a module to another: a device whose person has signed in to the account. */
export async function moveReports(
  d1: D1Database,
  { moduleId, from, to }: { moduleId: string; from: string; to: string },
): Promise<void> {
  const query = 'UPDATE step_reports SET learner_id = ?3 WHERE module_id = ?1 AND learner_id = ?2'
  await runSql(d1, query, moduleId, from, to)
}

/** Removes some of what one learner reported. */
export async function removeRows(d1: D1Database, rows: readonly Pick<StepReportRow, 'moduleId' | 'id'>[]) {
  const query = `DELETE FROM step_reports
    WHERE (module_id, id) IN (SELECT value->>'moduleId', value->>'id' FROM json_each(?1))`
  await runSql(d1, query, JSON.stringify(rows.map(({ moduleId, id }) => ({ moduleId, id }))))
}

/** Removes the reports of an erased module. @returns false while there are more */
export function removeStepReports(db: Db, moduleId: string): Promise<boolean> {
  return deleteInSteps(db, stepReports, eq(stepReports.moduleId, moduleId))
}
