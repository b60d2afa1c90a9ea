import { LearningMetricsAnswer, SessionAnswer } from '#contract/learning.ts'
import { PLAYBACK_RATE_MAX } from '#contract/limits.ts'
import {
  type Bench,
  logProgress,
  median,
  noiseRow,
  noiseSince,
  type Row,
  readLoad,
  type Scenario,
} from '../scenario.ts'
import { askWorker } from '../serve.ts'
import type { LearnersRequest, PlantRequest, SqlRequest } from '../wire.ts'

/** One module of a thousand reports, the same once more for the noise, and one with a thousand times as many. */
const MODULES = {
  few: { id: 'benchlearningfew000000', copies: 1 },
  fewToo: { id: 'benchlearningfew000001', copies: 1 },
  many: { id: 'benchlearningmany00000', copies: 1_000 },
} as const

type PlantedName = keyof typeof MODULES

/** What is really reported for each of them. */
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
async function plant(url: string, name: PlantedName): Promise<void> {
  const { id, copies } = MODULES[name]
  const run = (sql: string, ...values: (string | number)[]) =>
    askWorker(`${url}/api/bench/sql`, { post: { sql, values } satisfies SqlRequest })
  // No call asks for the video, so there is none.
  const noSource = { sourceEtag: null, sourceSizeBytes: null, sourceType: null }
  const module = {
    id,
    userId: TOKEN,
    title: 'Change the roll in a label printer',
    filename: 'roll.mp4',
    durationMs: VIDEO.durationS * 1000,
    stepsVersion: 1,
    ...noSource,
  }
  await askWorker(`${url}/api/bench/modules`, { post: { module, sentences: 0 } satisfies PlantRequest })
  await run(STEPS, id, VIDEO.steps, (VIDEO.durationS * 1000) / VIDEO.steps)
  const sample: LearnersRequest = { moduleId: id, ...SAMPLE, durationS: VIDEO.durationS }
  await askWorker(`${url}/api/bench/learners`, { post: sample })
  for (let from = 1; from < copies; from += COPIES_AT_ONCE) {
    const to = Math.min(copies, from + COPIES_AT_ONCE)
    for (const sql of [COPY_LEARNERS, COPY_SESSIONS]) await run(sql, id, from, to)
  }
  for (const sql of MULTIPLY) await run(sql, id, copies)
}

type Times = Record<PlantedName, number>

/** All three in turns, so that the machine's moods hit all alike. */
async function measureInTurns(ask: (name: PlantedName, round: number) => Promise<Response>): Promise<Times> {
  const times: Record<PlantedName, number[]> = { few: [], fewToo: [], many: [] }
  for (let round = -WARM_UPS; round < ROUNDS; round += 1) {
    for (const name of NAMES) {
      const startedMs = performance.now()
      const answer = await ask(name, round)
      await answer.arrayBuffer()
      if (!answer.ok) throw new Error(`${name} answered ${answer.status}`)
      if (round >= 0) times[name].push(performance.now() - startedMs)
    }
  }
  return { few: median(times.few), fewToo: median(times.fewToo), many: median(times.many) }
}

const ask = (url: string, name: PlantedName) =>
  fetch(`${url}/api/learning-metrics/${MODULES[name].id}`, { headers: { authorization: `Bearer ${TOKEN}` } })

/** Each newcomer has an address: from one, so many new learners on one day would be refused. */
function post(url: string, round: number, content: unknown): Promise<Response> {
  const address = `10.0.0.${round + WARM_UPS}`
  const headers = { 'content-type': 'application/json', 'cf-connecting-ip': address }
  return fetch(url, { method: 'POST', headers, body: JSON.stringify(content) })
}

/** Sessions of newcomers, started before anything is measured, so that what they report can have been played. */
async function startSessions(url: string): Promise<Record<PlantedName, string[]>> {
  const sessions: Record<PlantedName, string[]> = { few: [], fewToo: [], many: [] }
  for (const name of NAMES) {
    for (let round = -WARM_UPS; round < ROUNDS; round += 1) {
      const answer = await post(`${url}/api/learning-metrics/${MODULES[name].id}/sessions`, round, {})
      sessions[name].push(SessionAnswer.parse(await answer.json()).session)
    }
  }
  // Ten seconds at the fastest rate.
  await new Promise((resolve) => setTimeout(resolve, (REPORTED_S / PLAYBACK_RATE_MAX) * 1000))
  return sessions
}

/** What the page of a newcomer sends every ten seconds. */
function report(url: string, name: PlantedName, [round, session]: [number, string | undefined]): Promise<Response> {
  const fromS = round + WARM_UPS
  const segments = [[fromS, fromS + REPORTED_S]]
  return post(`${url}/api/learning-metrics`, round, {
    moduleId: MODULES[name].id,
    session,
    seq: 1,
    segments,
    position: 10,
  })
}

async function measureAll({ serve }: Bench) {
  const loadAtFirst = readLoad()
  const { url } = await serve()
  for (const name of NAMES) {
    logProgress(
      `planting ${(MODULES[name].copies * SAMPLE.learners * SAMPLE.reportsEach).toLocaleString('en')} reports`,
    )
    await plant(url, name)
    const { learners } = LearningMetricsAnswer.parse(await (await ask(url, name)).json())
    if (learners !== MODULES[name].copies * SAMPLE.learners) throw new Error(`${name} has ${learners} learners`)
  }
  logProgress(`${ROUNDS} reads of the metrics of each`)
  const metrics = await measureInTurns((name) => ask(url, name))
  logProgress(`${ROUNDS} reports for each`)
  const sessions = await startSessions(url)
  const reports = await measureInTurns((name, round) => report(url, name, [round, sessions[name][round + WARM_UPS]]))
  return { metrics, reports, noise: noiseSince(loadAtFirst) }
}

type Figures = Awaited<ReturnType<typeof measureAll>>

const ratioOf = ({ few, fewToo, many }: Times) => many / ((few + fewToo) / 2)
const noiseOf = ({ few, fewToo }: Times) => Math.max(few, fewToo) / Math.min(few, fewToo)

function rowOf(what: string, times: Times): Row {
  const ms = (value: number) => `${value.toFixed(2)} ms`
  const ratio = `${ratioOf(times).toFixed(2)} × ≤ ${RATIO_MAX}, ${noiseOf(times).toFixed(2)} between two alike`
  const value = `${ms(times.few)} → ${ms(times.many)}  ${ratio}`
  return { what: `${what}, 1,000 → 1,000,000 reports`, value, isMet: ratioOf(times) <= RATIO_MAX }
}

/** Whether the metrics of a module cost more the more learners have reported. */
export const learning: Scenario<Figures> = {
  measure: measureAll,
  toJson: (figures) => {
    const [metrics, reports] = [ratioOf(figures.metrics), ratioOf(figures.reports)]
    const isMet = metrics <= RATIO_MAX && reports <= RATIO_MAX
    return { ...figures, ratios: { metrics, reports, max: RATIO_MAX, isMet } }
  },
  rows: ({ metrics, reports, noise }) => [
    rowOf('Trainer reads the metrics', metrics),
    rowOf('Learner sends a report', reports),
    noiseRow(noise),
  ],
}
