import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { availableParallelism, loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs, promisify } from 'node:util'
import { serveWorker } from '../pipeline/serve.ts'
import { ask, type Heard } from './ask.ts'
import { type Figures, figuresOf, findOverheads } from './overheads.ts'
import { type ModelCall, PLANTED, type PlantedName } from './planted.ts'

const { values } = parseArgs({ options: { json: { type: 'boolean' } } })

const REPO = join(import.meta.dirname, '../..')
const WARM_UPS = 10
const ROUNDS = 50
const PER_SECOND = 5
const LOAD_S = 20
/** Where the tutor's first word comes so late that a learner notices us beside the model. */
const FIRST_MAX_MS = 50
const CHUNK_MAX_MS = 2

/** Beside the result, which alone goes to the standard output. */
function tell(what: string): void {
  console.error(`· ${what}`)
}

async function serve(stateFolder: string) {
  const envFile = join(stateFolder, 'vars.env')
  const assets = join(stateFolder, 'site')
  const names = ['R2_ACCESS_KEY_ID', 'R2_SECRET_ACCESS_KEY', 'TICKET_SECRET', 'SPEECH_API_KEY', 'LANGUAGE_API_KEY']
  await mkdir(assets)
  await writeFile(envFile, names.map((name) => `${name}=bench-only\n`).join(''))
  const wrangler = join(REPO, 'node_modules/wrangler/wrangler-dist/cli.js')
  const migrate = `d1 migrations apply adapt --local --persist-to ${join(stateFolder, 'data')}`.split(' ')
  await promisify(execFile)(process.execPath, [wrangler, ...migrate], { cwd: REPO })
  const entrypoint = join(import.meta.dirname, 'worker.ts')
  return serveWorker({ config: join(REPO, 'wrangler.toml'), entrypoint, stateFolder, assets, envFile })
}

let asked = 0

/** What is ours of some questions' time. */
interface Measured {
  first: Figures
  chunk: Figures
}

async function measure(url: string, run: () => Promise<Heard[]>): Promise<Measured> {
  await fetch(`${url}/api/bench/calls`)
  const heard = await run()
  const calls = (await (await fetch(`${url}/api/bench/calls`)).json()) as ModelCall[]
  const overheads = findOverheads(heard, calls)
  return {
    first: figuresOf(overheads.map(({ firstMs }) => firstMs)),
    chunk: figuresOf(overheads.flatMap(({ chunksMs }) => chunksMs)),
  }
}

async function askInTurn(url: string, name: PlantedName, rounds: number): Promise<Heard[]> {
  const heard: Heard[] = []
  for (let round = 0; round < rounds; round += 1) heard.push(await ask(url, name, (asked += 1)))
  return heard
}

/** New questions come at their times, whether those before are answered or not. */
async function askTogether(url: string, name: PlantedName): Promise<Heard[]> {
  const running: Promise<Heard>[] = []
  for (let at = 0; at < PER_SECOND * LOAD_S; at += 1) {
    running.push(ask(url, name, (asked += 1)))
    await sleep(1_000 / PER_SECOND)
  }
  return Promise.all(running)
}

async function measureAll(stateFolder: string) {
  const loadAtFirst = loadavg()[0] ?? 0
  const worker = await serve(stateFolder)
  const { url } = worker
  const inTurn = async (name: PlantedName) => {
    const planted = await fetch(`${url}/api/bench/plant/${name}`, { method: 'POST' })
    if (!planted.ok) throw new Error(await planted.text())
    const cold = await measure(url, () => askInTurn(url, name, 1))
    await askInTurn(url, name, WARM_UPS)
    tell(`${ROUNDS} questions about ${PLANTED[name].segments} segments, one after the other`)
    return { firstEver: cold.first.meanMs, ...(await measure(url, () => askInTurn(url, name, ROUNDS))) }
  }
  try {
    const tenMinutes = await inTurn('tenMinutes')
    const threeHours = await inTurn('threeHours')
    tell(`${PER_SECOND} new questions a second about the longer one, for ${LOAD_S} s`)
    const together = await measure(url, () => askTogether(url, 'threeHours'))
    const machine = { cores: availableParallelism(), loadAtFirst, loadAtLast: loadavg()[0] ?? 0 }
    return { tenMinutes, threeHours, together, machine }
  } finally {
    await worker.stop()
  }
}

type All = Awaited<ReturnType<typeof measureAll>>

/** The mean of a chunk, since a single one is told in whole milliseconds. */
function isMet({ tenMinutes, threeHours, together }: All): boolean {
  const inTurn = [tenMinutes, threeHours].every(({ first }) => first.medianMs <= FIRST_MAX_MS)
  const chunks = [tenMinutes, threeHours, together].every(({ chunk }) => chunk.meanMs <= CHUNK_MAX_MS)
  return inTurn && chunks && together.first.p95Ms <= FIRST_MAX_MS
}

function printTable(all: All): void {
  const { tenMinutes, threeHours, together, machine } = all
  const ms = (value: number) => `${value.toFixed(1)} ms`.padStart(10)
  const row = (what: string, { meanMs, medianMs, p95Ms }: Figures, target: string) =>
    console.log(`${what.padEnd(52)}${ms(meanMs)}${ms(medianMs)}${ms(p95Ms)}   ${target}`)
  console.log(`${''.padEnd(52)}${['mean', 'median', 'p95'].map((name) => name.padStart(10)).join('')}`)
  row('Before the first token, ten minutes of speech', tenMinutes.first, `median ≤ ${FIRST_MAX_MS} ms`)
  row('Before the first token, three hours', threeHours.first, `median ≤ ${FIRST_MAX_MS} ms`)
  row(`… at ${PER_SECOND} new questions a second`, together.first, `p95 ≤ ${FIRST_MAX_MS} ms`)
  row('Each further chunk, ten minutes of speech', tenMinutes.chunk, `mean ≤ ${CHUNK_MAX_MS} ms`)
  row('Each further chunk, three hours', threeHours.chunk, `mean ≤ ${CHUNK_MAX_MS} ms`)
  row(`… at ${PER_SECOND} new questions a second`, together.chunk, `mean ≤ ${CHUNK_MAX_MS} ms`)
  console.log(
    `First question ever, whose index is made: ${tenMinutes.firstEver} ms, and ${threeHours.firstEver} ms about three hours`,
  )
  const { cores, loadAtFirst, loadAtLast } = machine
  console.log(`Load ${loadAtFirst.toFixed(1)} before, ${loadAtLast.toFixed(1)} at the end, on ${cores} cores`)
  console.log(isMet(all) ? 'met' : 'NOT MET')
}

/** One object whose names carry their units. */
function toJson(all: All) {
  const { tenMinutes, threeHours, together, machine } = all
  const present = ({ first, chunk }: Measured) => ({ beforeFirstToken: first, perChunk: chunk })
  return {
    tenMinutes: { ...present(tenMinutes), firstQuestionEverMs: tenMinutes.firstEver },
    threeHours: { ...present(threeHours), firstQuestionEverMs: threeHours.firstEver },
    threeHoursUnderLoad: { ...present(together), questionsPerSecond: PER_SECOND },
    targets: { beforeFirstTokenMs: FIRST_MAX_MS, perChunkMs: CHUNK_MAX_MS, isMet: isMet(all) },
    machine,
  }
}

const stateFolder = await mkdtemp(join(tmpdir(), 'adapt-bench-tutor-'))
try {
  const all = await measureAll(stateFolder)
  if (values.json) console.log(JSON.stringify(toJson(all), null, 2))
  else printTable(all)
  if (!isMet(all)) process.exitCode = 1
} finally {
  await rm(stateFolder, { recursive: true, force: true })
}
