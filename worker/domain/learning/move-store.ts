import { nanoid } from 'nanoid'
import type { Learner } from './apply-report.ts'
import { DROP_SESSIONS, type LearnerId, learnerValues, type StoredLearner, writeLearnerSql } from './learning-store.ts'
import type { LearningSums } from './learning-sums.ts'
import { IS_MARKED, makeSumsUpdate } from './sums-store.ts'

/** ?3 mark, ?4 version, ?5 recount. */
const MARK = `
  UPDATE learners SET last_report = ?3, version = version + 1
  WHERE module_id = ?1 AND learner_id = ?2 AND version = ?4
    AND coalesce((SELECT recount FROM learning_totals WHERE module_id = ?1), '') = ?5`
const DELETE_SESSIONS = `DELETE FROM learning_sessions WHERE module_id = ?1 AND learner_id = ?2 AND ${IS_MARKED}`
const DELETE_LEARNER = 'DELETE FROM learners WHERE module_id = ?1 AND learner_id = ?2 AND last_report = ?3'

/**
 * Removes a learner with everything that the sums have of the learner.
 * @returns false when a report or a recount came between; nothing has changed then
 */
export async function deleteLearner(
  d1: D1Database,
  { id, before, change }: { id: LearnerId; before: StoredLearner; change: LearningSums },
): Promise<boolean> {
  const mark = { ...id, mark: nanoid() }
  const bind = (sql: string, ...values: unknown[]) =>
    d1.prepare(sql).bind(id.moduleId, id.learnerId, mark.mark, ...values)
  const [marked] = await d1.batch([
    bind(MARK, before.version, before.recount),
    ...makeSumsUpdate(d1, mark, change),
    bind(DELETE_SESSIONS),
    bind(DELETE_LEARNER),
  ])
  return marked?.meta.changes === 1
}

/** A learner without an account who becomes part of the account's. */
export interface LearnerMove {
  moduleId: string
  from: { learnerId: string; before: StoredLearner }
  to: { learnerId: string; before: StoredLearner; after: Learner; completedAtMs: number | null }
  change: LearningSums
}

/** ?16 the other learner, ?17 its version. */
const WRITE_TARGET = writeLearnerSql(
  'EXISTS (SELECT 1 FROM learners WHERE module_id = ?1 AND learner_id = ?16 AND version = ?17)',
)

/** A page may report first as the learner and then as the account: the account's sessions are kept. */
const MOVE_SESSIONS = `
  UPDATE OR IGNORE learning_sessions SET learner_id = ?2 WHERE module_id = ?1 AND learner_id = ?4 AND ${IS_MARKED}`
const DELETE_OTHER_SESSIONS = `DELETE FROM learning_sessions WHERE module_id = ?1 AND learner_id = ?4 AND ${IS_MARKED}`
const DELETE_SOURCE = `DELETE FROM learners WHERE module_id = ?1 AND learner_id = ?4 AND ${IS_MARKED}`

/**
 * Makes one learner part of another, whole or not at all.
 * @returns false when a report or a recount came between; nothing has changed then
 */
export async function moveLearner(d1: D1Database, { moduleId, from, to, change }: LearnerMove): Promise<boolean> {
  const mark = { moduleId, learnerId: to.learnerId, mark: nanoid() }
  const bind = (sql: string, ...values: unknown[]) => d1.prepare(sql).bind(moduleId, to.learnerId, mark.mark, ...values)
  const firstAts = [from, to].flatMap(({ before }) => (before.learner === null ? [] : [before.firstAtMs]))
  const times = {
    completedAtMs: to.completedAtMs,
    firstAtMs: Math.min(...firstAts),
    lastAtMs: Math.max(from.before.lastAtMs, to.before.lastAtMs),
  }
  const guards = [to.before.version + 1, to.before.recount, from.learnerId, from.before.version]
  const [written] = await d1.batch([
    bind(WRITE_TARGET, ...learnerValues(to.after, times), ...guards),
    bind(MOVE_SESSIONS, from.learnerId),
    bind(DELETE_OTHER_SESSIONS, from.learnerId),
    bind(DROP_SESSIONS),
    bind(DELETE_SOURCE, from.learnerId),
    ...makeSumsUpdate(d1, mark, change),
  ])
  return written?.meta.changes === 1
}

/** When the first session of one of two learners began; null where none is kept. */
export async function findFirstStart(
  d1: D1Database,
  moduleId: string,
  learnerIds: readonly [string, string],
): Promise<number | null> {
  const sql = 'SELECT min(started_at) AS at FROM learning_sessions WHERE module_id = ?1 AND learner_id IN (?2, ?3)'
  return d1
    .prepare(sql)
    .bind(moduleId, ...learnerIds)
    .first<number>('at')
}
