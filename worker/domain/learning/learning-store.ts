import { eq } from 'drizzle-orm'
import { lengthOf, type TimeRanges } from '#contract/time/time-ranges.ts'
import { type Db, deleteInSteps, listRows, runSql } from '#worker/db/db.ts'
import { learners, learningSessions, learningSteps, learningTotals } from '#worker/db/learner-tables.ts'
import type { Learner } from './learner.ts'
import { addUsesSql, findOverSql, type LearningUse, SESSIONS_PER_LEARNER } from './learning-limits.ts'
import type { LearningSums, SummedVideo } from './learning-sums.ts'
import { IS_MARKED, makeSumsUpdate, openMark } from './metrics-store.ts'

/** A learner of a module. */
export interface LearnerId {
  moduleId: string
  learnerId: string
}

/** When a learner first and last watched, and completed the module. */
export type LearnerTimes = Pick<StoredLearner, 'completedAtMs' | 'firstAtMs' | 'lastAtMs'>

/** The row of a learner. */
export interface StoredLearner {
  /** Null for a new learner. */
  learner: Learner | null
  version: number
  firstAtMs: number
  lastAtMs: number
  completedAtMs: number | null
  /** Steps that this learner is counted in. */
  countedSteps: SummedVideo['steps']
  /** Last recount of the steps. */
  recount: string
  /** What the asked page has reported so far; null before its first report. */
  session: StoredSession | null
}

type LearnerRow = Pick<Learner, 'positionS' | 'creditedUntilMs'> &
  LearnerTimes &
  Pick<StoredLearner, 'version'> &
  Record<'seen' | 'again' | 'verified', string>

const LEARNER = `SELECT seen, again, verified, position_s AS positionS, credited_until AS creditedUntilMs, version,
    first_at AS firstAtMs, last_at AS lastAtMs, completed_at AS completedAtMs
  FROM learners WHERE module_id = ?1 AND learner_id = ?2`
const COUNTED_STEPS = `SELECT s.id, s.start_ms / 1000.0 AS start, s.end_ms / 1000.0 AS end
  FROM learning_steps AS l JOIN steps AS s ON s.module_id = l.module_id AND s.id = l.step_id
   AND s.start_ms = l.start_ms AND s.end_ms = l.end_ms
  WHERE l.module_id = ?1 AND l.counted_to >= ?2`
const RECOUNT = 'SELECT recount FROM learning_totals WHERE module_id = ?1'
const SESSION = `SELECT seq, played, is_self_reported AS isSelfReported
  FROM learning_sessions WHERE module_id = ?1 AND learner_id = ?2 AND session_id = ?3`

/**
 * Reads what is known of a learner, and what of the sums a change of it has to keep right.
 * @param sessionId of an opened page that is asked for as well
 */
export async function readLearner(
  d1: D1Database,
  { moduleId, learnerId }: LearnerId,
  sessionId = '',
): Promise<StoredLearner> {
  const [rows, countedSteps, recounts, sessions] = await d1.batch([
    d1.prepare(LEARNER).bind(moduleId, learnerId),
    d1.prepare(COUNTED_STEPS).bind(moduleId, learnerId),
    d1.prepare(RECOUNT).bind(moduleId),
    d1.prepare(SESSION).bind(moduleId, learnerId, sessionId),
  ])
  const row = rows?.results[0] as LearnerRow | undefined
  const session = sessions?.results[0] as
    | (Omit<StoredSession, 'isSelfReported'> & { isSelfReported: number })
    | undefined
  return {
    learner: row === undefined ? null : toLearner(row),
    version: row?.version ?? 0,
    firstAtMs: row?.firstAtMs ?? 0,
    lastAtMs: row?.lastAtMs ?? 0,
    completedAtMs: row?.completedAtMs ?? null,
    countedSteps: (countedSteps?.results ?? []) as unknown as StoredLearner['countedSteps'],
    recount: (recounts?.results[0] as { recount: string } | undefined)?.recount ?? '',
    session: session === undefined ? null : { ...session, isSelfReported: session.isSelfReported === 1 },
  }
}

function toLearner({ seen, again, verified, positionS, creditedUntilMs }: LearnerRow): Learner {
  const read = (json: string) => JSON.parse(json) as TimeRanges
  return { seen: { once: read(seen), again: read(again) }, verified: read(verified), positionS, creditedUntilMs }
}

/** The row of an opened page. */
export type StoredSession = Pick<typeof learningSessions.$inferSelect, 'seq' | 'played' | 'isSelfReported'>

/** Columns that a write of a learner sets, in the order of what it binds. */
const WRITTEN = `last_report, seen, again, seen_seconds, verified, verified_seconds, credited_until, position_s,
  completed_at, first_at, last_at, version`

/**
 * Makes the SQL that writes a learner's row, one version after the one that was read: ?1 to ?3 module, learner and mark, ?4 on
 * {@link learnerValues}, ?14 version, ?15 recount. The guard may use ?16 and more.
 */
export function writeLearnerSql(guard: string): string {
  return `
  INSERT INTO learners (module_id, learner_id, ${WRITTEN})
  SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14
  WHERE (?14 = 1 OR EXISTS (SELECT 1 FROM learners WHERE module_id = ?1 AND learner_id = ?2))
    AND coalesce((${RECOUNT}), '') = ?15 AND ${guard}
  ON CONFLICT (module_id, learner_id) DO UPDATE SET ${WRITTEN.replaceAll(/\w+/g, '$& = excluded.$&')}
  WHERE learners.version = excluded.version - 1`
}

/** Lists a learner's columns from `seen` to `last_at`, as rows have them. */
export function learnerValues(
  { seen, verified, creditedUntilMs, positionS }: Learner,
  { completedAtMs, firstAtMs, lastAtMs }: LearnerTimes,
): (string | number | null)[] {
  const { once, again } = seen
  return [
    JSON.stringify(once),
    JSON.stringify(again),
    lengthOf(once),
    JSON.stringify(verified),
    lengthOf(verified),
    creditedUntilMs,
    positionS,
    completedAtMs,
    firstAtMs,
    lastAtMs,
  ]
}

/** A report that is to be counted. */
export interface ReportWrite {
  id: LearnerId
  /** What the change was computed from. */
  before: StoredLearner
  after: Learner
  isCompleted: boolean
  change: LearningSums
  session: StoredSession & { sessionId: string; startedAtMs: number; isNew: boolean }
  day: string
  uses: readonly LearningUse[]
  nowMs: number
}

/** ?16 day, ?17 uses. */
const WRITE_LEARNER = writeLearnerSql(
  `EXISTS (SELECT 1 FROM modules WHERE id = ?1) AND NOT EXISTS (${findOverSql('?16', '?17')})`,
)
const WRITE_SESSION = `
  INSERT INTO learning_sessions
    (module_id, learner_id, session_id, seq, played, position_s, is_self_reported, started_at, last_at)
  SELECT ?1, ?2, ?4, ?5, ?6, ?7, ?8, ?9, ?10 WHERE ${IS_MARKED}
  ON CONFLICT (module_id, learner_id, session_id) DO UPDATE SET
    seq = excluded.seq, played = excluded.played, position_s = excluded.position_s,
    is_self_reported = excluded.is_self_reported, last_at = excluded.last_at`
/** Keeps the newest sessions of a learner; bound like {@link IS_MARKED}. */
export const DROP_SESSIONS = `
  DELETE FROM learning_sessions WHERE module_id = ?1 AND learner_id = ?2 AND ${IS_MARKED} AND session_id NOT IN (
    SELECT session_id FROM learning_sessions WHERE module_id = ?1 AND learner_id = ?2
    ORDER BY last_at DESC, session_id LIMIT ${SESSIONS_PER_LEARNER})`

/**
 * Counts a report, whole or not at all.
 * @returns false when something that it was computed from has changed meanwhile, or a limit is reached
 */
export async function writeReport(d1: D1Database, write: ReportWrite): Promise<boolean> {
  const { id, before, after, session, nowMs } = write
  const bind = openMark(d1, id.moduleId, id.learnerId)
  const uses = JSON.stringify(write.uses)
  const times = {
    completedAtMs: before.completedAtMs ?? (write.isCompleted ? nowMs : null),
    firstAtMs: before.learner === null ? nowMs : before.firstAtMs,
    lastAtMs: nowMs,
  }
  const guards = [before.version + 1, before.recount, write.day, uses]
  const { sessionId, seq, played, isSelfReported, startedAtMs } = session
  const [written] = await d1.batch([
    bind(WRITE_LEARNER, ...learnerValues(after, times), ...guards),
    bind(WRITE_SESSION, sessionId, seq, played, after.positionS, Number(isSelfReported), startedAtMs, nowMs),
    ...(session.isNew ? [bind(DROP_SESSIONS)] : []),
    ...makeSumsUpdate(bind, write.change),
    bind(addUsesSql(IS_MARKED), write.day, uses),
  ])
  return written?.meta.changes === 1
}

/** Whether one of the sums of the day would pass its limit. */
export async function isOverLimit(d1: D1Database, day: string, uses: readonly LearningUse[]): Promise<boolean> {
  return (await listRows(d1, `${findOverSql('?1', '?2')} LIMIT 1`, day, JSON.stringify(uses))).length > 0
}

/** Counts the opened pages that are kept of a learner. */
export async function countSessions(d1: D1Database, { moduleId, learnerId }: LearnerId): Promise<number> {
  const count = 'SELECT count(*) AS sessions FROM learning_sessions WHERE module_id = ? AND learner_id = ?'
  return Number(await d1.prepare(count).bind(moduleId, learnerId).first('sessions'))
}

/** Removes all rows of a module's learners. @returns false while some are left */
export async function removeLearning(db: Db, moduleId: string): Promise<boolean> {
  for (const table of [learners, learningSessions, learningSteps, learningTotals]) {
    if (!(await deleteInSteps(db, table, eq(table.moduleId, moduleId)))) return false
  }
  return true
}

/** Removes the sums of days that no limit counts any more. */
export function removeLearningUsesBefore(d1: D1Database, day: string): Promise<number> {
  return runSql(d1, 'DELETE FROM learning_uses WHERE day < ?1', day)
}
