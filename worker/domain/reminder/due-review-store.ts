import { REVIEWS_DUE_MAX } from '#contract/limits.ts'
import { listRows } from '#worker/db/db.ts'

/** A training whose version is to be looked at again. */
export interface ToldReview {
  moduleId: string
  number: number
  title: string
  language: string | null
  dueMs: number
}

/** What is due for review in an organization at a time. */
interface DueAt {
  orgId: string
  nowMs: number
}

/** An entry of somebody's account that has an address. */
const isMailed = (entry: string, userId: string) =>
  `${entry}.user_id = ${userId} AND ${entry}.org_id = m.org_id AND ${entry}.is_active = 1 AND ${entry}.email IS NOT NULL`

/**
 * Published versions of the organization `?1` whose review is due by `?2` and of which nobody was told, each with the
 * person to tell: its owner, or, where approvers release, whoever released it, because Clerk alone knows who else may.
 */
const UNTOLD = `SELECT coalesce(a.id, o.id) AS personId, m.id AS moduleId, v.number, v.title, m.language,
    m.review_due_at AS dueMs
  FROM modules AS m JOIN training_versions AS v ON v.module_id = m.id AND v.number = m.published_version
  LEFT JOIN glossaries AS g ON g.org_id = m.org_id
  LEFT JOIN people AS a ON g.publishers = 'approvers' AND ${isMailed('a', 'v.user_id')}
  LEFT JOIN people AS o ON ${isMailed('o', 'm.user_id')}
  WHERE m.org_id = ?1 AND m.review_due_at <= ?2 AND v.review_told IS NOT m.review_due_at`

/** Lists the people who are to be told what is due for review. */
export async function listReviewers(d1: D1Database, { orgId, nowMs }: DueAt): Promise<string[]> {
  const query = `SELECT DISTINCT personId FROM (${UNTOLD}) WHERE personId IS NOT NULL`
  return (await listRows<{ personId: string }>(d1, query, orgId, nowMs)).map(({ personId }) => personId)
}

/** Lists what a person is to be told, the most overdue first; what is left out is told the next day. */
export function listReviewsOf(
  d1: D1Database,
  { orgId, nowMs, personId }: DueAt & { personId: string },
): Promise<ToldReview[]> {
  const query = `SELECT moduleId, number, title, language, dueMs FROM (${UNTOLD}) WHERE personId = ?3
    ORDER BY dueMs, moduleId LIMIT ${REVIEWS_DUE_MAX}`
  return listRows<ToldReview>(d1, query, orgId, nowMs, personId)
}

/** Makes the statement that notes of which dates it was told. */
export function markReviewsTold(d1: D1Database, told: readonly ToldReview[]): D1PreparedStatement {
  const rows = told.map(({ moduleId, number, dueMs }) => [moduleId, number, dueMs])
  return d1
    .prepare(
      `UPDATE training_versions SET review_told = mark ->> 2 FROM (SELECT value AS mark FROM json_each(?1))
       WHERE module_id = mark ->> 0 AND number = mark ->> 1`,
    )
    .bind(JSON.stringify(rows))
}
