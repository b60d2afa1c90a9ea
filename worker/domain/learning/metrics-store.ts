import { nanoid } from 'nanoid'
import type { StepSpan } from '#contract/step-progress.ts'
import type { TimeRanges } from '#contract/time/time-ranges.ts'
import { listRows } from '#worker/db/db.ts'
import { ALL_COUNTED } from '#worker/db/learner-tables.ts'
import { NEW_LEARNER } from './apply-report.ts'
import { type Histogram, type LearningSums, listChangedSteps, type StepSums } from './learning-sums.ts'

/** Binds a statement of a batch to the module, the learner and the mark (?1 to ?3) of the write that the batch is about. */
export type BindMarked = (sql: string, ...values: unknown[]) => D1PreparedStatement

/** Opens the mark of a write of a learner's row: random, so that no two writes share one. */
export function openMark(d1: D1Database, moduleId: string, learnerId: string): BindMarked {
  const mark = nanoid()
  return (sql, ...values) => d1.prepare(sql).bind(moduleId, learnerId, mark, ...values)
}

/** Holds while the marked write stands: the statements after it count only then. */
export const IS_MARKED = `EXISTS (SELECT 1 FROM learners WHERE module_id = ?1 AND learner_id = ?2 AND last_report = ?3)`

/** SQL that adds one histogram to another; both are JSON objects of numbers. */
function addHistogramSql(to: string, addend: string): string {
  return `(SELECT json_group_object(k, n) FROM (
    SELECT k, sum(n) AS n FROM (SELECT key AS k, value AS n FROM json_each(${to})
                                UNION ALL SELECT key, value FROM json_each(${addend}))
    GROUP BY k HAVING sum(n) <> 0))`
}

const WRITE_TOTALS = `
  INSERT INTO learning_totals (module_id, learners, seen_seconds, percents, verified, curve)
  SELECT ?1, ?4, ?5, ?6, ?7, ?8 WHERE ${IS_MARKED}
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
export function makeSumsUpdate(bind: BindMarked, change: LearningSums): D1PreparedStatement[] {
  const histograms = [change.percents, change.verified, change.curve].map((each) => JSON.stringify(each))
  const steps = listChangedSteps(change)
  const changed = JSON.stringify(steps.map(([id, step]) => ({ id, ...step })))
  return [
    bind(WRITE_TOTALS, change.learners, change.seenSeconds, ...histograms),
    ...(steps.length === 0 ? [] : [bind(WRITE_STEPS, changed)]),
  ]
}

/** A step as it is now, with the sums over the learners that are counted in it. */
export interface CountedStep extends StepSpan {
  stepId: string
  title: string
  sums: StepSums
  /** Learners up to this id are counted. */
  countedTo: string
}

/** Sums over a module's learners. */
export interface ModuleCounts extends Omit<LearningSums, 'steps'> {
  steps: CountedStep[]
  /** Last recount of the steps. */
  recount: string
  /** Questions by step. */
  questions: { stepId: string; count: number }[]
  /** What was reported from steps, settled or not. */
  reports: { stepId: string; count: number }[]
}

const TOTALS = `SELECT learners, seen_seconds AS seenSeconds, percents, verified, curve, recount
  FROM learning_totals WHERE module_id = ?1`
const STEPS = `
  SELECT s.id AS stepId, s.title, s.start_ms / 1000.0 AS start, s.end_ms / 1000.0 AS end,
         coalesce(l.reached, 0) AS reached, coalesce(l.finished, 0) AS finished, coalesce(l.rewatched, 0) AS rewatched,
         coalesce(l.left_by_percent, '{}') AS leftByPercent, coalesce(l.counted_to, '') AS countedTo
  FROM steps AS s LEFT JOIN learning_steps AS l
    ON l.module_id = s.module_id AND l.step_id = s.id AND l.start_ms = s.start_ms AND l.end_ms = s.end_ms
  WHERE s.module_id = ?1 ORDER BY s.position`
const QUESTIONS = `SELECT step_id AS stepId, count(*) AS count FROM questions WHERE module_id = ?1 AND step_id IS NOT NULL GROUP BY step_id`

const REPORTS = `SELECT step_id AS stepId, count(*) AS count FROM step_reports
  WHERE module_id = ?1 AND step_id IS NOT NULL AND is_ignored = 0 GROUP BY step_id`

type TotalsRow = Pick<LearningSums, 'learners' | 'seenSeconds'> &
  Record<'percents' | 'verified' | 'curve' | 'recount', string>
type StepRow = Omit<CountedStep, 'sums'> & Omit<StepSums, 'left'> & { leftByPercent: string }

const NO_TOTALS: TotalsRow = { learners: 0, seenSeconds: 0, percents: '{}', verified: '{}', curve: '{}', recount: '' }

/** Reads the sums of a module: a row, and one for each step, however many learners and reports there are. */
export async function readCounts(d1: D1Database, moduleId: string): Promise<ModuleCounts> {
  const ask = (sql: string) => d1.prepare(sql).bind(moduleId)
  const asked = [TOTALS, STEPS, QUESTIONS, REPORTS].map(ask)
  const [totals, steps, questions, reports] = await d1.batch(asked)
  const row = (totals?.results[0] as TotalsRow | undefined) ?? NO_TOTALS
  const read = (json: string) => JSON.parse(json) as Histogram
  return {
    ...row,
    percents: read(row.percents),
    verified: read(row.verified),
    curve: read(row.curve),
    steps: ((steps?.results ?? []) as unknown as StepRow[]).map(toCountedStep),
    questions: (questions?.results ?? []) as unknown as ModuleCounts['questions'],
    reports: (reports?.results ?? []) as unknown as ModuleCounts['reports'],
  }
}

function toCountedStep({ reached, finished, rewatched, leftByPercent, ...step }: StepRow): CountedStep {
  return { ...step, sums: { reached, finished, rewatched, left: JSON.parse(leftByPercent) as Histogram } }
}

/** Learners that are read at once while steps are recounted. */
const LEARNERS_AT_ONCE = 1_000
const LEARNERS = `SELECT learner_id AS learnerId, seen, again, position_s AS positionS, version FROM learners
  WHERE module_id = ?1 AND learner_id > ?2 ORDER BY learner_id LIMIT ${LEARNERS_AT_ONCE}`

/** Reads the learners after one of them. @param after an id; empty for the first ones */
export async function readLearnerPage(d1: D1Database, moduleId: string, after: string) {
  type Row = Record<'learnerId' | 'seen' | 'again', string> & Record<'positionS' | 'version', number>
  const results = await listRows<Row>(d1, LEARNERS, moduleId, after)
  const last = results.length < LEARNERS_AT_ONCE ? undefined : results.at(-1)
  const read = (json: string) => JSON.parse(json) as TimeRanges
  return {
    learners: results.map(({ seen, again, positionS }) => {
      return { ...NEW_LEARNER, seen: { once: read(seen), again: read(again) }, positionS }
    }),
    /** Id of the last of them; {@link ALL_COUNTED} when none come after. */
    to: last?.learnerId ?? ALL_COUNTED,
    /** Changes with every report, removal and new learner among them. */
    versions: results.reduce((sum, { version }) => sum + version + VERSION_STEP, 0),
  }
}

/** Added for each learner: otherwise a removed learner and new reports could leave the sum unchanged. */
const VERSION_STEP = 2 ** 20

/** ?2 recount as it was, ?3 the new one, ?4 and ?5 the page, ?6 its versions. */
const BEGIN_RECOUNT = `
  INSERT INTO learning_totals (module_id, learners, seen_seconds, recount)
  SELECT ?1, 0, 0, ?3
  WHERE (SELECT coalesce(sum(version + ${VERSION_STEP}), 0) FROM learners
         WHERE module_id = ?1 AND learner_id > ?4 AND learner_id <= ?5) = ?6
    AND EXISTS (SELECT 1 FROM modules WHERE id = ?1)
  ON CONFLICT (module_id) DO UPDATE SET recount = excluded.recount WHERE recount = ?2`
const IS_RECOUNT = `EXISTS (SELECT 1 FROM learning_totals WHERE module_id = ?1 AND recount = ?2)`
const OLD = (column: string) => `CASE WHEN ?5 = '' THEN 0 ELSE learning_steps.${column} END`
const KEEP_STEPS = `
  INSERT INTO learning_steps (module_id, step_id, start_ms, end_ms, reached, finished, rewatched, left_by_percent, counted_to)
  SELECT ?1, s.id, s.start_ms, s.end_ms, c.value->>'reached', c.value->>'finished', c.value->>'rewatched',
         c.value->'left', ?4
  FROM json_each(?3) AS c JOIN steps AS s ON s.module_id = ?1 AND s.id = c.value->>'stepId'
   AND s.start_ms = c.value->>'startMs' AND s.end_ms = c.value->>'endMs'
  WHERE ${IS_RECOUNT}
  ON CONFLICT (module_id, step_id) DO UPDATE SET start_ms = excluded.start_ms, end_ms = excluded.end_ms,
    reached = excluded.reached + ${OLD('reached')}, finished = excluded.finished + ${OLD('finished')},
    rewatched = excluded.rewatched + ${OLD('rewatched')}, counted_to = excluded.counted_to,
    left_by_percent = CASE WHEN ?5 = '' THEN excluded.left_by_percent
      ELSE ${addHistogramSql('learning_steps.left_by_percent', 'excluded.left_by_percent')} END`

/**
 * Adds a page of learners to steps that were counted up to it, unless one of them has reported, or another recount has
 * begun, since it was read.
 * @returns whether it was added
 */
export async function writeRecount(
  d1: D1Database,
  { moduleId, recount }: Pick<ModuleCounts, 'recount'> & { moduleId: string },
  { after, page, steps }: { after: string; page: { to: string; versions: number }; steps: readonly CountedStep[] },
): Promise<boolean> {
  const toMs = (seconds: number) => Math.round(seconds * 1000)
  const stepRows = steps.map(({ stepId, start, end, sums }) => {
    return { stepId, startMs: toMs(start), endMs: toMs(end), ...sums }
  })
  const next = nanoid()
  const [begun] = await d1.batch([
    d1.prepare(BEGIN_RECOUNT).bind(moduleId, recount, next, after, page.to, page.versions),
    d1.prepare(KEEP_STEPS).bind(moduleId, next, JSON.stringify(stepRows), page.to, after),
  ])
  return begun?.meta.changes === 1
}
