import { setTimeout as sleep } from 'node:timers/promises'
import type { LearningMetricsAnswer, SessionAnswer } from '#contract/learning.ts'
import { PLAYBACK_RATE_MAX } from '#contract/limits.ts'
import { openCaller } from '../client.ts'
import { type Grown, growthOf, mapValues, takeTurns, timeMs } from '../rounds.ts'
import { type Bench, gate, inTimes, logProgress, median, type Scenario } from '../scenario.ts'
import type { ServedWorker } from '../serve.ts'
import { measureWatchedHour } from '../watched-hour.ts'
import type { LearnersRequest } from '../wire.ts'

/** One module of a thousand reports, the same once more for the noise, and one with a thousand times as many. */
const MODULES = {
  few: { id: 'benchlearningfew000000', copies: 1 },
  fewToo: { id: 'benchlearningfew000001', copies: 1 },
  many: { id: 'benchlearningmany00000', copies: 1_000 },
} as const

type PlantedName = keyof typeof MODULES

const SAMPLE = { learners: 250, reportsEach: 4 } as const
const VIDEO = { durationS: 600, steps: 20 } as const
/** Its subject owns the modules. */
const TOKEN = 'owner.of.benches'

const NAMES = Object.keys(MODULES) as PlantedName[]
const WARM_UPS = 20
const ROUNDS = 200
const REPORTED_S = 10
/** How much longer a thousand times as many reports may make an answer. */
const RATIO_MAX = 1.5
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

/** A module with its steps and the sample's reports, and beside them copies of its learners, with the sums of their reports. */
async function plant(worker: ServedWorker, name: PlantedName): Promise<void> {
  const { id, copies } = MODULES[name]
  const durationMs = VIDEO.durationS * 1000
  const title = 'Change the roll in a label printer'
  await worker.seed({ id, userId: TOKEN, title, durationMs, stepsVersion: 1 }, 0)
  await worker.sql(STEPS, id, VIDEO.steps, durationMs / VIDEO.steps)
  const sample: LearnersRequest = { moduleId: id, ...SAMPLE, durationS: VIDEO.durationS }
  await worker.ask('/api/bench/learners', sample)
  for (let from = 1; from < copies; from += COPIES_AT_ONCE) {
    const to = Math.min(copies, from + COPIES_AT_ONCE)
    for (const sql of [COPY_LEARNERS, COPY_SESSIONS]) await worker.sql(sql, id, from, to)
  }
  for (const sql of MULTIPLY) await worker.sql(sql, id, copies)
}

async function measureAll({ serve }: Bench) {
  const worker = await serve()
  const caller = openCaller(worker.url, 1)
  const metricsPath = (name: PlantedName) => `/api/learning-metrics/${MODULES[name].id}`
  const readMetrics = (name: PlantedName) => caller.ask<LearningMetricsAnswer>({ path: metricsPath(name), as: TOKEN })
  /** Each newcomer has an address: from one, so many new learners on one day would be refused. */
  const post = (path: string, newcomer: number, json: unknown) =>
    caller.ask<SessionAnswer>({ path, json, headers: { 'cf-connecting-ip': `10.0.0.${newcomer}` } })
  for (const name of NAMES) {
    const count = MODULES[name].copies * SAMPLE.learners
    logProgress(`planting ${(count * SAMPLE.reportsEach).toLocaleString('en')} reports`)
    await plant(worker, name)
    const { learners } = await readMetrics(name)
    if (learners !== count) throw new Error(`${name} has ${learners} learners`)
  }
  const turns = { warmUps: WARM_UPS, rounds: ROUNDS }
  logProgress(`${ROUNDS} reads of the metrics of each`)
  const metrics = await takeTurns(NAMES, turns, (name) => timeMs(() => readMetrics(name)))
  logProgress(`${ROUNDS} reports for each`)
  // Sessions are started before anything is measured, so that what newcomers report can have been played.
  const sessions = await takeTurns(NAMES, { rounds: WARM_UPS + ROUNDS }, (name, newcomer) =>
    post(`${metricsPath(name)}/sessions`, newcomer, {}),
  )
  // Ten seconds at the fastest rate.
  await sleep((REPORTED_S / PLAYBACK_RATE_MAX) * 1000)
  /** What the page of a newcomer sends every ten seconds. */
  const report = (name: PlantedName, newcomer: number) => {
    const session = sessions[name][newcomer]?.session
    const segments = [[newcomer, newcomer + REPORTED_S]]
    const moduleId = MODULES[name].id
    return post('/api/learning-metrics', newcomer, { moduleId, session, seq: 1, segments, position: 10 })
  }
  const reports = await takeTurns(NAMES, turns, (name, round) => timeMs(() => report(name, round + WARM_UPS)))
  caller.close()
  const watched = await measureWatchedHour(worker, MODULES.fewToo.id)
  return { times: { metrics: mapValues(metrics, median), reports: mapValues(reports, median) }, watched }
}

function gateOf(what: string, times: Grown) {
  const { fewMs, ratio, noiseRatio } = growthOf(times)
  const [few, many] = [fewMs, times.many].map((ms) => `${ms.toFixed(2)} ms`)
  const shown = `${few} → ${many}  ${inTimes(ratio)}, ${noiseRatio.toFixed(2)} between two alike`
  return gate(`${what}, 1,000 → 1,000,000 reports`, ratio, { atMost: RATIO_MAX }, shown)
}

/** Whether the metrics of a module cost more the more learners have reported. */
export const scenario: Scenario = {
  async measure(bench) {
    const { times, watched } = await measureAll(bench)
    const table = [
      gateOf('Trainer reads the metrics', times.metrics),
      gateOf('Learner sends a report', times.reports),
      watched.row,
    ]
    return {
      json: { ...times, watchedHour: watched.json, ratios: mapValues(times, (each: Grown) => growthOf(each).ratio) },
      table,
    }
  },
}
