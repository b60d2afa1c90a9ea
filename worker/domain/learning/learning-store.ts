import { eq } from 'drizzle-orm'
import type { TimeRanges } from '#contract/time-ranges.ts'
import { lengthOf } from '#contract/time-ranges.ts'
import type { Db } from '#worker/db/db.ts'
import { deleteInSteps } from '#worker/db/delete-in-steps.ts'
import {
  learners,
  learningCounts,
  learningSessions,
  learningSteps,
  learningTotals,
} from '#worker/db/learning-tables.ts'
import type { Learner, LearningChange } from './apply-report.ts'

/** Who reports, and from which opened page. */
export interface LearnerId {
  moduleId: string
  learnerId: string
  sessionId: string
}

/** What is stored of a learner. */
export interface StoredLearner {
  /** Null when nothing is known. */
  learner: Learner | null
  version: number
  /** Number of the last report of this session that was counted; 0 before the first. */
  seq: number
  /** What share of the video makes it completed now. */
  completionPercent: number
  /** Steps whose counts are those of their times now. */
  countedSteps: { id: string; start: number; end: number }[]
}

interface LearnerRow {
  seen: string
  again: string
  positionS: number
  completedAt: number | null
  version: number
}

const LEARNER = `SELECT seen, again, position_s AS positionS, completed_at AS completedAt, version
  FROM learners WHERE module_id = ?1 AND learner_id = ?2`
const SEQ = `SELECT seq FROM learning_sessions WHERE module_id = ?1 AND learner_id = ?2 AND session_id = ?3`
const THRESHOLD = `SELECT completion_percent AS completionPercent FROM modules WHERE id = ?1`
const COUNTED_STEPS = `SELECT s.id, s.start_ms / 1000.0 AS start, s.end_ms / 1000.0 AS end
  FROM learning_steps AS l JOIN steps AS s ON s.module_id = l.module_id AND s.id = l.step_id
   AND s.start_ms = l.start_ms AND s.end_ms = l.end_ms
  WHERE l.module_id = ?1`

/** What is known of a learner, and what of it a report may change. */
export async function readLearner(d1: D1Database, id: LearnerId): Promise<StoredLearner> {
  const { moduleId, learnerId, sessionId } = id
  const [learnerRows, sessions, thresholds, countedSteps] = await d1.batch([
    d1.prepare(LEARNER).bind(moduleId, learnerId),
    d1.prepare(SEQ).bind(moduleId, learnerId, sessionId),
    d1.prepare(THRESHOLD).bind(moduleId),
    d1.prepare(COUNTED_STEPS).bind(moduleId),
  ])
  const row = learnerRows?.results[0] as LearnerRow | undefined
  return {
    learner: row === undefined ? null : toLearner(row),
    version: row?.version ?? 0,
    seq: (sessions?.results[0] as { seq: number } | undefined)?.seq ?? 0,
    completionPercent: (thresholds?.results[0] as { completionPercent: number } | undefined)?.completionPercent ?? 100,
    countedSteps: (countedSteps?.results ?? []) as StoredLearner['countedSteps'],
  }
}

function toLearner({ seen, again, positionS, completedAt }: LearnerRow): Learner {
  const read = (json: string) => JSON.parse(json) as TimeRanges
  return { seen: { once: read(seen), again: read(again) }, positionS, isCompleted: completedAt !== null }
}

/** A report that is to be counted. */
export interface LearnerWrite {
  id: LearnerId
  /** Version that the change was worked out from. */
  version: number
  /** Threshold that it was worked out with. */
  completionPercent: number
  seq: number
  /** What was played, as the xAPI video profile writes it. */
  played: string
  after: Learner
  change: LearningChange
  nowMs: number
}

/** An opened page keeps so much of what was played; a longer one loses what came after. */
const PLAYED_MAX_CHARS = 20_000

/** This very report has made the learner's row what it is; the statements after it count only then. */
const IS_MINE = `EXISTS (SELECT 1 FROM learners
  WHERE module_id = ?1 AND learner_id = ?2 AND version = ?3 AND last_report = ?4)`

const WRITE_LEARNER = `
  INSERT INTO learners (module_id, learner_id, version, last_report, seen, again, seen_seconds, position_s,
                        completed_at, first_at, last_at)
  SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?10
  WHERE (?3 = 1 OR EXISTS (SELECT 1 FROM learners WHERE module_id = ?1 AND learner_id = ?2))
    AND (SELECT completion_percent FROM modules WHERE id = ?1) = ?11
  ON CONFLICT (module_id, learner_id) DO UPDATE SET
    version = excluded.version, last_report = excluded.last_report, seen = excluded.seen, again = excluded.again,
    seen_seconds = excluded.seen_seconds, position_s = excluded.position_s,
    completed_at = coalesce(completed_at, excluded.completed_at), last_at = excluded.last_at
  WHERE learners.version = excluded.version - 1`
const WRITE_SESSION = `
  INSERT INTO learning_sessions (module_id, learner_id, session_id, seq, played, position_s, started_at, last_at)
  SELECT ?1, ?2, ?5, ?6, ?7, ?8, ?9, ?9 WHERE ${IS_MINE}
  ON CONFLICT (module_id, learner_id, session_id) DO UPDATE SET
    seq = excluded.seq, position_s = excluded.position_s, last_at = excluded.last_at,
    played = CASE WHEN excluded.played = '' OR length(played) > ${PLAYED_MAX_CHARS} THEN played
                  WHEN played = '' THEN excluded.played ELSE played || '[,]' || excluded.played END`
const WRITE_TOTALS = `
  INSERT INTO learning_totals (module_id, learners, completed, seen_seconds, version)
  SELECT ?1, ?5, ?6, ?7, 1 WHERE ${IS_MINE}
  ON CONFLICT (module_id) DO UPDATE SET
    learners = learners + excluded.learners, completed = completed + excluded.completed,
    seen_seconds = seen_seconds + excluded.seen_seconds, version = version + 1`
const WRITE_COUNTS = `
  INSERT INTO learning_counts (module_id, kind, at_s, learners)
  SELECT ?1, value->>'kind', value->>'atS', value->>'learners' FROM json_each(?5) WHERE ${IS_MINE}
  ON CONFLICT (module_id, kind, at_s) DO UPDATE SET learners = learners + excluded.learners`
const WRITE_STEPS = `
  UPDATE learning_steps SET reached = reached + (value->>'reached'), finished = finished + (value->>'finished'),
    rewatched = rewatched + (value->>'rewatched')
  FROM json_each(?5) WHERE module_id = ?1 AND step_id = value->>'id' AND ${IS_MINE}`

/**
 * Counts a report, whole or not at all.
 * @returns false when another report of the same learner or another threshold came between; nothing has changed then
 */
export async function writeLearner(d1: D1Database, write: LearnerWrite): Promise<boolean> {
  const { id, seq, after, change, nowMs } = write
  const { once, again } = after.seen
  const bind = (sql: string, ...values: unknown[]) =>
    d1.prepare(sql).bind(id.moduleId, id.learnerId, write.version + 1, `${id.sessionId}/${seq}`, ...values)
  const completedAt = after.isCompleted ? nowMs : null
  const seen = [JSON.stringify(once), JSON.stringify(again), lengthOf(once)]
  const [written] = await d1.batch([
    bind(WRITE_LEARNER, ...seen, after.positionS, completedAt, nowMs, write.completionPercent),
    bind(WRITE_SESSION, id.sessionId, seq, write.played, after.positionS, nowMs),
    bind(WRITE_TOTALS, change.learners, change.completed, change.seenSeconds),
    bind(WRITE_COUNTS, JSON.stringify(change.counts)),
    bind(WRITE_STEPS, JSON.stringify(change.steps)),
  ])
  return written?.meta.changes === 1
}

const DECIDE_COMPLETED = `
  UPDATE learners SET version = version + 1, completed_at = CASE WHEN seen_seconds >= ?2 THEN ?3 END
  WHERE module_id = ?1 AND (seen_seconds >= ?2) = (completed_at IS NULL)`
const COUNT_COMPLETED = `
  UPDATE learning_totals SET version = version + 1,
    completed = (SELECT count(*) FROM learners WHERE module_id = ?1 AND completed_at IS NOT NULL)
  WHERE module_id = ?1`
const FORGET_LEFT = `DELETE FROM learning_counts WHERE module_id = ?1 AND kind = 'left'`
const COUNT_LEFT = `
  INSERT INTO learning_counts (module_id, kind, at_s, learners)
  SELECT module_id, 'left', position_s, count(*) FROM learners
  WHERE module_id = ?1 AND completed_at IS NULL GROUP BY position_s`

/**
 * Decides anew who has completed a module, to be run in one batch with the change of its threshold.
 * @param neededS whole seconds that have to be seen
 */
export function makeRecount(
  d1: D1Database,
  moduleId: string,
  { neededS, nowMs }: { neededS: number; nowMs: number },
): D1PreparedStatement[] {
  return [
    d1.prepare(DECIDE_COMPLETED).bind(moduleId, neededS, nowMs),
    ...[COUNT_COMPLETED, FORGET_LEFT, COUNT_LEFT].map((sql) => d1.prepare(sql).bind(moduleId)),
  ]
}

/** Removes everything that is known of a module's learners. @returns false while there is more */
export async function removeLearning(db: Db, moduleId: string): Promise<boolean> {
  for (const table of [learners, learningSessions, learningCounts, learningSteps, learningTotals]) {
    if (!(await deleteInSteps(db, table, eq(table.moduleId, moduleId)))) return false
  }
  return true
}
