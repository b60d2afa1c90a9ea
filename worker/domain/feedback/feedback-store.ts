import { and, asc, eq, sql } from 'drizzle-orm'
import { FEEDBACK_REPEAT_S, RECENT_FEEDBACK_MAX } from '#contract/limits.ts'
import { type Db, deleteInSteps, runSql } from '#worker/db/db.ts'
import { feedback } from '#worker/db/learner-tables.ts'
import type { PageAt } from '#worker/db/read-pages.ts'
import { type ListOwner, listOwnerOf } from '#worker/domain/organization/membership.ts'
import type { Caller } from '#worker/ports/identity.ts'

/** One piece of feedback. A rating has an action, a suggestion has a text instead; the other fields are null. */
export type FeedbackRow = typeof feedback.$inferSelect

/**
 * Keeps one piece of feedback, unless the same person said the very same within the last minute.
 * @returns whether it is new
 */
export async function insertFeedback(d1: D1Database, row: FeedbackRow): Promise<boolean> {
  const contents = [row.type, row.action, row.context, row.userMessage, row.aiResponse]
  const query = `INSERT INTO feedback (id, module_id, user_id, type, action, context, user_message, ai_response, created_at)
    SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9 WHERE NOT EXISTS (
      SELECT 1 FROM feedback WHERE user_id = ?3 AND created_at > ?9 - ${FEEDBACK_REPEAT_S * 1000}
        AND module_id IS ?2 AND type = ?4 AND action IS ?5 AND context IS ?6 AND user_message IS ?7
        AND ai_response IS ?8)`
  return (await runSql(d1, query, row.id, row.moduleId, row.userId, ...contents, row.createdAt)) === 1
}

/** How often one thing was said. */
export type FeedbackCount = Pick<FeedbackRow, 'type' | 'action'> & { count: number }

/** Feedback with the title of its module, null where there is none. */
export type TitledFeedback = Pick<FeedbackRow, 'id' | 'type' | 'action' | 'moduleId' | 'userMessage' | 'createdAt'> & {
  moduleTitle: string | null
}

/** `?1` the caller, `?2` the owner whose modules the caller's lists show. */
const isOwned = ({ column }: ListOwner) => `m.${column} = ?2`

/** Counted in an index that holds all that is asked for, so many thousands take some milliseconds. */
const countsOf = (owner: ListOwner) => `
  SELECT f.type, f.action, count(*) AS count FROM modules AS m JOIN feedback AS f ON f.module_id = m.id
  WHERE ${isOwned(owner)} GROUP BY f.type, f.action
  UNION ALL
  SELECT type, action, count(*) AS count FROM feedback WHERE user_id = ?1 AND module_id IS NULL GROUP BY type, action`

const NEWEST_IDS = (of: string) =>
  `SELECT id FROM feedback WHERE ${of} ORDER BY created_at DESC LIMIT ${RECENT_FEEDBACK_MAX}`

/** Reads the few newest of each module only, however many there are. */
const recentOf = (owner: ListOwner) => `
  SELECT f.id, f.type, f.action, f.module_id AS moduleId, f.user_message AS userMessage, f.created_at AS createdAt,
         owned.title AS moduleTitle
  FROM (SELECT f.id, m.title FROM modules AS m JOIN feedback AS f ON f.id IN (${NEWEST_IDS('module_id = m.id')})
        WHERE ${isOwned(owner)}
        UNION ALL
        SELECT id, NULL FROM feedback WHERE id IN (${NEWEST_IDS('user_id = ?1 AND module_id IS NULL')})) AS owned
  JOIN feedback AS f ON f.id = owned.id
  ORDER BY f.created_at DESC, f.id LIMIT ${RECENT_FEEDBACK_MAX}`

/** Feedback on the modules of the caller's lists, and the caller's feedback without a module: counts, and the newest. */
export async function readOwnFeedback(
  db: D1Database,
  caller: Caller,
): Promise<{ counts: FeedbackCount[]; recent: TitledFeedback[] }> {
  const owner = listOwnerOf(caller)
  const [counted, newest] = await db.batch([
    db.prepare(countsOf(owner)).bind(caller.userId, owner.id),
    db.prepare(recentOf(owner)).bind(caller.userId, owner.id),
  ])
  return { counts: (counted?.results ?? []) as FeedbackCount[], recent: (newest?.results ?? []) as TitledFeedback[] }
}

/** What one person said, the oldest first, after one of it. */
export function listFeedbackOf(db: Db, userId: string, { after, limit }: PageAt<FeedbackRow>): Promise<FeedbackRow[]> {
  const isLater = sql`(${feedback.createdAt}, ${feedback.id}) > (${after?.createdAt ?? 0}, ${after?.id ?? ''})`
  return db
    .select()
    .from(feedback)
    .where(and(eq(feedback.userId, userId), isLater))
    .orderBy(asc(feedback.createdAt), asc(feedback.id))
    .limit(limit)
}

/** Removes what one person said by `beforeMs`. @returns false while there is more */
export function removeFeedbackOf(db: Db, userId: string, beforeMs: number): Promise<boolean> {
  return deleteInSteps(db, feedback, sql`${feedback.userId} = ${userId} AND ${feedback.createdAt} <= ${beforeMs}`)
}

/** Removes the feedback on an erased module. @returns false while there is more */
export function removeFeedback(db: Db, moduleId: string): Promise<boolean> {
  return deleteInSteps(db, feedback, eq(feedback.moduleId, moduleId))
}
