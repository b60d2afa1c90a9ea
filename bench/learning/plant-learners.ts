import { readyModule } from '#local/testing/ready-module.ts'
import { openDb } from '#worker/db/db.ts'
import { noteLearning } from '#worker/domain/learning/note-learning.ts'
import { insertModule, type ModuleRow, selectModule } from '#worker/domain/module/module-store.ts'
import { SAMPLE, VIDEO } from './planted.ts'

const STEP_MS = (VIDEO.durationS * 1000) / VIDEO.steps
/** Copies that one statement makes: a quarter of a million rows at once would take longer than a query may. */
const COPIES_AT_ONCE = 50

const STEPS = `
  WITH RECURSIVE numbers(n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM numbers WHERE n < ?2 - 1)
  INSERT INTO steps (id, module_id, position, title, description, start_ms, end_ms)
  SELECT 'step-' || n, ?1, n, 'Step ' || n, 'What to do in this step.', n * ?3, (n + 1) * ?3 FROM numbers`
const COPY = `
  WITH RECURSIVE numbers(n) AS (SELECT ?2 UNION ALL SELECT n + 1 FROM numbers WHERE n < ?3 - 1)`
const COPY_LEARNERS = `${COPY}
  INSERT INTO learners
  SELECT module_id, learner_id || ':' || n, seen, again, seen_seconds, position_s, completed_at, first_at, last_at,
         version, last_report
  FROM learners, numbers WHERE module_id = ?1 AND learner_id NOT LIKE '%:%:%'`
const COPY_SESSIONS = `${COPY}
  INSERT INTO learning_sessions
  SELECT module_id, learner_id || ':' || n, session_id, seq, played, position_s, started_at, last_at
  FROM learning_sessions, numbers WHERE module_id = ?1 AND learner_id NOT LIKE '%:%:%'`
const MULTIPLY = [
  'UPDATE learning_counts SET learners = learners * ?2 WHERE module_id = ?1',
  'UPDATE learning_steps SET reached = reached * ?2, finished = finished * ?2, rewatched = rewatched * ?2 WHERE module_id = ?1',
  'UPDATE learning_totals SET learners = learners * ?2, completed = completed * ?2, seen_seconds = seen_seconds * ?2 WHERE module_id = ?1',
]

/** Nobody looks at the video, so there is none. */
const NO_SOURCE = { sourceEtag: null, sourceSizeBytes: null, sourceType: null }

/** A module with its steps, which nobody has watched yet. */
export async function plantModule(d1: D1Database, id: string): Promise<ModuleRow> {
  const db = openDb(d1)
  const planted = readyModule({
    id,
    userId: 'user_bench',
    title: 'Change the roll in a label printer',
    filename: 'roll.mp4',
    durationMs: VIDEO.durationS * 1000,
    stepsVersion: 1,
    ...NO_SOURCE,
  })
  await insertModule(db, planted)
  await d1.prepare(STEPS).bind(id, VIDEO.steps, STEP_MS).run()
  const [module] = await selectModule(db, id)
  if (module === undefined) throw new Error(`${id} was not planted`)
  return module
}

/** Applies the sample's reports as the product does. Learners stop somewhere, jump back, and come to the end or not. */
export async function reportSample(d1: D1Database, module: ModuleRow): Promise<void> {
  for (let learner = 0; learner < SAMPLE.learners; learner += 1) {
    const watcher = { module, learnerId: `anyone:sample-${learner}` }
    const paceS = 20 + ((learner * 37) % 140)
    for (let seq = 1; seq <= SAMPLE.reportsEach; seq += 1) {
      const from = Math.min(VIDEO.durationS, (seq - 1) * paceS)
      const to = Math.min(VIDEO.durationS, from + paceS + (learner % 3) * 4)
      const segments: [number, number][] = [[from, to]]
      if (learner % 5 === 0) segments.push([Math.max(0, from - 15), from])
      const page = {
        moduleId: module.id,
        learnerId: `learner-of-sample-${learner}`,
        sessionId: `session-${learner}-long`,
      }
      await noteLearning({ d1, nowMs: Date.now() }, watcher, { ...page, seq, segments, position: to })
    }
  }
}

/** Puts learners beside those of the sample that have done the same, and the sums that their reports would have made. */
export async function multiply(d1: D1Database, moduleId: string, copies: number): Promise<void> {
  for (let from = 1; from < copies; from += COPIES_AT_ONCE) {
    const to = Math.min(copies, from + COPIES_AT_ONCE)
    for (const sql of [COPY_LEARNERS, COPY_SESSIONS]) await d1.prepare(sql).bind(moduleId, from, to).run()
  }
  for (const sql of MULTIPLY) await d1.prepare(sql).bind(moduleId, copies).run()
}
