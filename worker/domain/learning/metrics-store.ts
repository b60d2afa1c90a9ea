import { judgeStep, type StepSpan } from '#contract/step-progress.ts'
import type { TimeRanges } from '#contract/time-ranges.ts'

/** A step as it is now, with what was counted of it; null where it was counted for other times, or never. */
export interface CountedStep extends StepSpan {
  stepId: string
  title: string
  counts: StepCounts | null
}

/** How many learners saw something of a step, saw it to its end, and saw some of it twice. */
export interface StepCounts {
  reached: number
  finished: number
  rewatched: number
}

/** Sums over a module's learners. */
export interface ModuleCounts {
  learners: number
  completed: number
  seenSeconds: number
  version: number
  /** By where a piece of the video begins, and by the second at which learners were last seen. */
  seen: { atS: number; learners: number }[]
  left: { atS: number; learners: number }[]
  steps: CountedStep[]
  /** Questions by step. */
  questions: { stepId: string; count: number }[]
}

const TOTALS = `SELECT learners, completed, seen_seconds AS seenSeconds, version FROM learning_totals WHERE module_id = ?1`
const COUNTS = `SELECT kind, at_s AS atS, learners FROM learning_counts WHERE module_id = ?1 AND learners > 0 ORDER BY at_s`
const STEPS = `
  SELECT s.id AS stepId, s.title, s.start_ms / 1000.0 AS start, s.end_ms / 1000.0 AS end,
         l.reached, l.finished, l.rewatched
  FROM steps AS s LEFT JOIN learning_steps AS l
    ON l.module_id = s.module_id AND l.step_id = s.id AND l.start_ms = s.start_ms AND l.end_ms = s.end_ms
  WHERE s.module_id = ?1 ORDER BY s.position`
const QUESTIONS = `SELECT step_id AS stepId, count(*) AS count FROM questions WHERE module_id = ?1 AND step_id IS NOT NULL GROUP BY step_id`

interface StepCountRow extends StepSpan, Record<keyof StepCounts, number | null> {
  stepId: string
  title: string
}

/** What is kept of a module's learners: rows for its length and its steps, however many learners and reports there are. */
export async function readCounts(d1: D1Database, moduleId: string): Promise<ModuleCounts> {
  const ask = (sql: string) => d1.prepare(sql).bind(moduleId)
  const [totals, counts, steps, questions] = await d1.batch([ask(TOTALS), ask(COUNTS), ask(STEPS), ask(QUESTIONS)])
  const sums = totals?.results[0] as Omit<ModuleCounts, 'seen'> | undefined
  const rows = (counts?.results ?? []) as { kind: string; atS: number; learners: number }[]
  return {
    ...(sums ?? { learners: 0, completed: 0, seenSeconds: 0, version: 0 }),
    seen: rows.filter(({ kind }) => kind === 'seen'),
    left: rows.filter(({ kind }) => kind === 'left'),
    steps: ((steps?.results ?? []) as StepCountRow[]).map(toCountedStep),
    questions: (questions?.results ?? []) as ModuleCounts['questions'],
  }
}

function toCountedStep({ reached, finished, rewatched, ...step }: StepCountRow): CountedStep {
  const isCounted = reached !== null && finished !== null && rewatched !== null
  return { ...step, counts: isCounted ? { reached, finished, rewatched } : null }
}

/** Learners that are read at once while steps are counted anew. */
const LEARNERS_AT_ONCE = 1_000
const LEARNERS = `SELECT learner_id AS learnerId, seen, again FROM learners
  WHERE module_id = ?1 AND learner_id > ?2 ORDER BY learner_id LIMIT ${LEARNERS_AT_ONCE}`

/** Counts steps anew from what each learner has seen, as has to be done when their times have changed. */
export async function countSteps(
  d1: D1Database,
  moduleId: string,
  steps: readonly CountedStep[],
): Promise<(CountedStep & { counts: StepCounts })[]> {
  const counted = steps.map((step) => ({ ...step, counts: { reached: 0, finished: 0, rewatched: 0 } }))
  for (let last = ''; ; ) {
    const { results } = await d1
      .prepare(LEARNERS)
      .bind(moduleId, last)
      .all<{ learnerId: string; seen: string; again: string }>()
    for (const row of results) {
      const seen = { once: JSON.parse(row.seen) as TimeRanges, again: JSON.parse(row.again) as TimeRanges }
      for (const { counts, ...span } of counted) {
        const progress = judgeStep(span, seen)
        counts.reached += Number(progress.isReached)
        counts.finished += Number(progress.isFinished)
        counts.rewatched += Number(progress.isRewatched)
      }
    }
    const end = results.at(-1)
    if (end === undefined || results.length < LEARNERS_AT_ONCE) return counted
    last = end.learnerId
  }
}

const KEEP_STEPS = `
  INSERT INTO learning_steps (module_id, step_id, start_ms, end_ms, reached, finished, rewatched)
  SELECT ?1, s.id, s.start_ms, s.end_ms, c.value->>'reached', c.value->>'finished', c.value->>'rewatched'
  FROM json_each(?2) AS c JOIN steps AS s ON s.module_id = ?1 AND s.id = c.value->>'stepId'
   AND s.start_ms = c.value->>'startMs' AND s.end_ms = c.value->>'endMs'
  WHERE coalesce((SELECT version FROM learning_totals WHERE module_id = ?1), 0) = ?3
  ON CONFLICT (module_id, step_id) DO UPDATE SET start_ms = excluded.start_ms, end_ms = excluded.end_ms,
    reached = excluded.reached, finished = excluded.finished, rewatched = excluded.rewatched`

/** Keeps what was counted, unless reports have come or steps have moved meanwhile. */
export async function keepSteps(
  d1: D1Database,
  { moduleId, version }: { moduleId: string; version: number },
  steps: readonly (CountedStep & { counts: StepCounts })[],
): Promise<void> {
  const toMs = (seconds: number) => Math.round(seconds * 1000)
  const kept = steps.map(({ stepId, start, end, counts }) => {
    return { stepId, startMs: toMs(start), endMs: toMs(end), ...counts }
  })
  await d1.prepare(KEEP_STEPS).bind(moduleId, JSON.stringify(kept), version).run()
}
