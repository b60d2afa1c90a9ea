import type { TimeRanges } from '#contract/time/time-ranges.ts'
import { listRows } from '#worker/db/db.ts'
import { ALL_COUNTED, type learners, type learningSessions } from '#worker/db/learner-tables.ts'
import type { PageAt } from '#worker/db/read-pages.ts'
import { COMPLETED_AT } from './export-store.ts'
import type { Learner } from './learner.ts'
import {
  DROP_SESSIONS,
  type LearnerId,
  type LearnerTimes,
  learnerValues,
  type StoredLearner,
  writeLearnerSql,
} from './learning-store.ts'
import type { LearningSums } from './learning-sums.ts'
import { IS_MARKED, makeSumsUpdate, openMark } from './metrics-store.ts'

/** ?3 mark, ?4 version, ?5 recount. */
const MARK = `
  UPDATE learners SET last_report = ?3, version = version + 1
  WHERE module_id = ?1 AND learner_id = ?2 AND version = ?4
    AND coalesce((SELECT recount FROM learning_totals WHERE module_id = ?1), '') = ?5`
const DELETE_OF = (learner: '?2' | '?4', table: 'learners' | 'learning_sessions') =>
  `DELETE FROM ${table} WHERE module_id = ?1 AND learner_id = ${learner} AND ${IS_MARKED}`

/**
 * Removes a learner with everything that the sums have of the learner.
 * @returns false when a report or a recount came between; nothing has changed then
 */
export async function deleteLearner(
  d1: D1Database,
  { id, before, change }: { id: LearnerId; before: StoredLearner; change: LearningSums },
): Promise<boolean> {
  const bind = openMark(d1, id.moduleId, id.learnerId)
  const [marked] = await d1.batch([
    bind(MARK, before.version, before.recount),
    ...makeSumsUpdate(bind, change),
    bind(DELETE_OF('?2', 'learning_sessions')),
    bind(DELETE_OF('?2', 'learners')),
  ])
  return marked?.meta.changes === 1
}

/** A learner without an account who becomes part of the account's. */
export interface LearnerMove {
  moduleId: string
  from: { learnerId: string; before: StoredLearner }
  to: { learnerId: string; before: StoredLearner; after: Learner; times: LearnerTimes }
  change: LearningSums
}

/** ?16 the other learner, ?17 its version. */
const WRITE_TARGET = writeLearnerSql(
  'EXISTS (SELECT 1 FROM learners WHERE module_id = ?1 AND learner_id = ?16 AND version = ?17)',
)

/** A page may report first as the learner and then as the account: the account's sessions are kept. */
const MOVE_SESSIONS = `
  UPDATE OR IGNORE learning_sessions SET learner_id = ?2 WHERE module_id = ?1 AND learner_id = ?4 AND ${IS_MARKED}`

/**
 * Makes one learner part of another, whole or not at all.
 * @returns false when a report or a recount came between; nothing has changed then
 */
export async function moveLearner(d1: D1Database, { moduleId, from, to, change }: LearnerMove): Promise<boolean> {
  const bind = openMark(d1, moduleId, to.learnerId)
  const guards = [to.before.version + 1, to.before.recount, from.learnerId, from.before.version]
  const [written] = await d1.batch([
    bind(WRITE_TARGET, ...learnerValues(to.after, to.times), ...guards),
    bind(MOVE_SESSIONS, from.learnerId),
    bind(DELETE_OF('?4', 'learning_sessions'), from.learnerId),
    bind(DROP_SESSIONS),
    bind(DELETE_OF('?4', 'learners'), from.learnerId),
    ...makeSumsUpdate(bind, change),
  ])
  return written?.meta.changes === 1
}

/** Finds when the first session of the learners began; null where none is stored. */
export async function findFirstStart(
  d1: D1Database,
  moduleId: string,
  learnerIds: readonly [string, string],
): Promise<number | null> {
  const sql = 'SELECT min(started_at) AS at FROM learning_sessions WHERE module_id = ?1 AND learner_id IN (?2, ?3)'
  const [first] = await listRows<{ at: number | null }>(d1, sql, moduleId, ...learnerIds)
  return first?.at ?? null
}

/** What one learner has seen of one module. */
export type SeenModule = { seen: TimeRanges } & Pick<
  typeof learners.$inferSelect,
  'moduleId' | 'positionS' | 'completedAt' | 'firstAt' | 'lastAt'
>

const SEEN = `
  SELECT l.module_id AS moduleId, l.seen, l.position_s AS positionS, ${COMPLETED_AT} AS completedAt,
         l.first_at AS firstAt, l.last_at AS lastAt
  FROM learners AS l LEFT JOIN modules AS m ON m.id = l.module_id
  WHERE l.learner_id = ?1 AND l.module_id > ?2 ORDER BY l.module_id LIMIT ?3`

/** Modules that a learner has seen something of, by their ids, after one of them. */
export async function listSeenModules(
  d1: D1Database,
  learnerId: string,
  { after, limit }: PageAt<SeenModule>,
): Promise<SeenModule[]> {
  type Row = Omit<SeenModule, 'seen'> & { seen: string }
  const rows = await listRows<Row>(d1, SEEN, learnerId, after?.moduleId ?? '', limit)
  return rows.map((row) => ({ ...row, seen: JSON.parse(row.seen) as TimeRanges }))
}

/** What one page of a learner played of one module. */
export type PlayedSession = Pick<
  typeof learningSessions.$inferSelect,
  'moduleId' | 'sessionId' | 'played' | 'positionS' | 'startedAt' | 'lastAt'
>

const SESSIONS = `
  SELECT s.module_id AS moduleId, s.session_id AS sessionId, s.played, s.position_s AS positionS,
         s.started_at AS startedAt, s.last_at AS lastAt
  FROM learners AS l JOIN learning_sessions AS s ON s.module_id = l.module_id AND s.learner_id = l.learner_id
  WHERE l.learner_id = ?1 AND l.module_id >= ?2 AND (s.module_id, s.session_id) > (?2, ?3)
  ORDER BY s.module_id, s.session_id LIMIT ?4`

/** Lists a learner's sessions by module and id, after one of them. */
export function listSessionsOf(
  d1: D1Database,
  learnerId: string,
  page: PageAt<PlayedSession>,
): Promise<PlayedSession[]> {
  return listRows(d1, SESSIONS, learnerId, page.after?.moduleId ?? '', page.after?.sessionId ?? '', page.limit)
}

/** Modules of a learner that are renamed at once. */
const RENAMED_MAX = 500
const SOME = `SELECT module_id FROM learners WHERE learner_id = ?1 AND first_at <= ?3
  ORDER BY module_id LIMIT ${RENAMED_MAX}`
/** During a recount, a renamed learner would be missed or counted twice. */
const RESTART_RECOUNTS = `UPDATE learning_steps SET counted_to = '' WHERE counted_to <> '${ALL_COUNTED}'
  AND module_id IN (${SOME}) AND ?2 = ?2`
const RENAME = (table: string) => `UPDATE ${table} SET learner_id = ?2 WHERE learner_id = ?1 AND module_id IN (${SOME})`

/**
 * Gives a learner another name wherever they began by `beforeMs`, so that sums stay right but cannot be traced to a
 * person.
 * @returns false while there is more
 */
export async function renameLearner(
  d1: D1Database,
  { from, to, beforeMs }: { from: string; to: string; beforeMs: number },
): Promise<boolean> {
  const bind = (table: string) => d1.prepare(RENAME(table)).bind(from, to, beforeMs)
  const results = await d1.batch([
    d1.prepare(RESTART_RECOUNTS).bind(from, to, beforeMs),
    bind('learning_sessions'),
    bind('learners'),
  ])
  return (results.at(-1)?.meta.changes ?? 0) < RENAMED_MAX
}
