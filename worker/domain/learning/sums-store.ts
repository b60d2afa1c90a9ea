import { type LearningSums, listChangedSteps } from './learning-sums.ts'

/** The write of a batch that has made a learner's row what it is. The statements after it count only while it stands. */
export interface LearnerMark {
  moduleId: string
  learnerId: string
  /** Random, so that no two writes share one. */
  mark: string
}

/** Holds while a {@link LearnerMark} stands; it is bound to ?1, ?2 and ?3. */
export const IS_MARKED = `EXISTS (SELECT 1 FROM learners WHERE module_id = ?1 AND learner_id = ?2 AND last_report = ?3)`

/** SQL that adds one histogram to another; both are JSON objects of numbers. */
export function addHistogramSql(to: string, more: string): string {
  return `(SELECT json_group_object(k, n) FROM (
    SELECT k, sum(n) AS n FROM (SELECT key AS k, value AS n FROM json_each(${to})
                                UNION ALL SELECT key, value FROM json_each(${more}))
    GROUP BY k HAVING sum(n) <> 0))`
}

const WRITE_TOTALS = `
  INSERT INTO learning_totals (module_id, completed, version, learners, seen_seconds, percents, verified, curve)
  SELECT ?1, 0, 0, ?4, ?5, ?6, ?7, ?8 WHERE ${IS_MARKED}
  ON CONFLICT (module_id) DO UPDATE SET
    learners = learners + excluded.learners, seen_seconds = seen_seconds + excluded.seen_seconds,
    percents = ${addHistogramSql('learning_totals.percents', 'excluded.percents')},
    verified = ${addHistogramSql('learning_totals.verified', 'excluded.verified')},
    curve = ${addHistogramSql('learning_totals.curve', 'excluded.curve')}`
const WRITE_STEPS = `
  UPDATE learning_steps SET
    reached = reached + (c.value->>'reached'), finished = finished + (c.value->>'finished'),
    rewatched = rewatched + (c.value->>'rewatched'),
    left_by_percent = ${addHistogramSql('learning_steps.left_by_percent', "c.value->'left'")}
  FROM json_each(?4) AS c WHERE module_id = ?1 AND step_id = c.value->>'id' AND ${IS_MARKED}`

/** Makes the statements that change a module's sums, to be run in the batch of the write that is marked. */
export function makeSumsUpdate(
  d1: D1Database,
  { moduleId, learnerId, mark }: LearnerMark,
  change: LearningSums,
): D1PreparedStatement[] {
  const bind = (sql: string, ...values: unknown[]) => d1.prepare(sql).bind(moduleId, learnerId, mark, ...values)
  const histograms = [change.percents, change.verified, change.curve].map((each) => JSON.stringify(each))
  const steps = listChangedSteps(change)
  const changed = JSON.stringify(steps.map(([id, step]) => ({ id, ...step })))
  return [
    bind(WRITE_TOTALS, change.learners, change.seenSeconds, ...histograms),
    ...(steps.length === 0 ? [] : [bind(WRITE_STEPS, changed)]),
  ]
}
