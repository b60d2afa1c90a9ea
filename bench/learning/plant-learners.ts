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
  INSERT INTO learners (module_id, learner_id, seen, again, verified, seen_seconds, verified_seconds, position_s,
                        completed_at, credited_until, first_at, last_at, version, last_report)
  SELECT module_id, learner_id || ':' || n, seen, again, verified, seen_seconds, verified_seconds, position_s,
         completed_at, credited_until, first_at, last_at, version, last_report
  FROM learners, numbers WHERE module_id = ?1 AND learner_id NOT LIKE '%:%:%'`
const COPY_SESSIONS = `${COPY}
  INSERT INTO learning_sessions (module_id, learner_id, session_id, seq, played, position_s, started_at, last_at)
  SELECT module_id, learner_id || ':' || n, session_id, seq, played, position_s, started_at, last_at
  FROM learning_sessions, numbers WHERE module_id = ?1 AND learner_id NOT LIKE '%:%:%'`
const times = (column: string) => `${column} = (SELECT json_group_object(key, value * ?2) FROM json_each(${column}))`
const MULTIPLY = [
  `UPDATE learning_steps SET reached = reached * ?2, finished = finished * ?2, rewatched = rewatched * ?2,
    ${times('left_by_percent')} WHERE module_id = ?1`,
  `UPDATE learning_totals SET learners = learners * ?2, seen_seconds = seen_seconds * ?2,
    ${['percents', 'verified', 'curve'].map(times).join(', ')} WHERE module_id = ?1`,
]

/** So long ago that all of it could have been played since. */
const OPENED_AGO_MS = 60 * 60_000

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
    const learnerId = `anyone:sample-${learner}`
    const startedAtMs = Date.now() - OPENED_AGO_MS
    const who = { kind: 'session', moduleId: module.id, learnerId, sessionId: `session-${learner}-long` } as const
    const paceS = 20 + ((learner * 37) % 140)
    for (let seq = 1; seq <= SAMPLE.reportsEach; seq += 1) {
      const from = Math.min(VIDEO.durationS, (seq - 1) * paceS)
      const to = Math.min(VIDEO.durationS, from + paceS + (learner % 3) * 4)
      const segments: [number, number][] = [[from, to]]
      if (learner % 5 === 0) segments.push([Math.max(0, from - 15), from])
      const report = { seq, segments, position: to }
      const deps = { d1, secret: 'bench', network: null, nowMs: Date.now() }
      await noteLearning(deps, module, { session: { ...who, startedAtMs }, report })
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
