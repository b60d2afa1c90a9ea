import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { LearningMetricsAnswer, SessionAnswer } from '#contract/learning.ts'
import { PLAYBACK_RATE_MAX } from '#contract/limits.ts'
import { describeNoise, noiseSince, readLoad } from '../shared/noise.ts'
import { serveProduct } from '../shared/serve-product.ts'
import { median } from '../shared/statistics.ts'
import { tell } from '../shared/tell.ts'
import { MODULES, type PlantedName, SAMPLE } from './planted.ts'

const { values } = parseArgs({ options: { json: { type: 'boolean' } } })

const NAMES = Object.keys(MODULES) as PlantedName[]
const WARM_UPS = 20
const ROUNDS = 200
const REPORTED_S = 10
/** How much longer a thousand times as many reports may make an answer. */
const RATIO_MAX = 1.5

type Times = Record<PlantedName, number>

const stateFolder = await mkdtemp(join(tmpdir(), 'adapt-bench-learning-'))

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
  fetch(`${url}/api/learning-metrics/${MODULES[name].id}`, { headers: { authorization: 'Bearer a.b.c' } })

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

async function measureAll() {
  const loadAtFirst = readLoad()
  const worker = await serveProduct({ entrypoint: join(import.meta.dirname, 'worker.ts'), stateFolder })
  const { url } = worker
  try {
    for (const name of NAMES) {
      tell(`planting ${(MODULES[name].copies * SAMPLE.learners * SAMPLE.reportsEach).toLocaleString('en')} reports`)
      const planted = await fetch(`${url}/api/bench/plant/${name}`, { method: 'POST' })
      if (!planted.ok) throw new Error(await planted.text())
      const { learners } = LearningMetricsAnswer.parse(await (await ask(url, name)).json())
      if (learners !== MODULES[name].copies * SAMPLE.learners) throw new Error(`${name} has ${learners} learners`)
    }
    tell(`${ROUNDS} looks at the figures of each`)
    const metrics = await measureInTurns((name) => ask(url, name))
    tell(`${ROUNDS} reports for each`)
    const sessions = await startSessions(url)
    const reports = await measureInTurns((name, round) => report(url, name, [round, sessions[name][round + WARM_UPS]]))
    return { metrics, reports, noise: noiseSince(loadAtFirst) }
  } finally {
    await worker.stop()
  }
}

type Figures = Awaited<ReturnType<typeof measureAll>>

const ratioOf = ({ few, fewToo, many }: Times) => many / ((few + fewToo) / 2)
const noiseOf = ({ few, fewToo }: Times) => Math.max(few, fewToo) / Math.min(few, fewToo)

function printTable({ metrics, reports, noise }: Figures): void {
  const rows = [
    ['Trainer looks at the figures', metrics],
    ['Learner sends a report', reports],
  ] as const
  console.log(`${''.padEnd(30)}${'1,000 reports'.padStart(15)}${'1,000,000'.padStart(12)}${'ratio'.padStart(8)}`)
  for (const [what, times] of rows) {
    const ms = (value: number) => `${value.toFixed(2)} ms`
    const verdict = ratioOf(times) <= RATIO_MAX ? 'met' : 'NOT MET'
    const cells = `${ms(times.few).padStart(15)}${ms(times.many).padStart(12)}${ratioOf(times).toFixed(2).padStart(8)}`
    console.log(
      `${what.padEnd(30)}${cells}  (≤ ${RATIO_MAX}; ${noiseOf(times).toFixed(2)} between two alike) ${verdict}`,
    )
  }
  console.log(`Load ${describeNoise(noise)}`)
}

try {
  const figures = await measureAll()
  const { metrics, reports } = figures
  const isMet = ratioOf(metrics) <= RATIO_MAX && ratioOf(reports) <= RATIO_MAX
  const ratios = { metrics: ratioOf(metrics), reports: ratioOf(reports), max: RATIO_MAX, isMet }
  if (values.json) console.log(JSON.stringify({ ...figures, ratios }, null, 2))
  else printTable(figures)
  if (!isMet) process.exitCode = 1
} finally {
  await rm(stateFolder, { recursive: true, force: true })
}
