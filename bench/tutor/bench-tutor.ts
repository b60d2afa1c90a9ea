import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { describeNoise, noiseSince, readLoad } from '../shared/noise.ts'
import { serveProduct } from '../shared/serve-product.ts'
import { tell } from '../shared/tell.ts'
import { type Asking, ask, type Heard } from './ask.ts'
import { type Figures, figuresOf, findOverheads } from './overheads.ts'
import { type ModelCall, PLANTED, type PlantedName } from './planted.ts'

const { values } = parseArgs({ options: { json: { type: 'boolean' } } })

const WARM_UPS = 10
const ROUNDS = 50
const PER_SECOND = 5
const LOAD_S = 20
/** Where the tutor's first word comes so late that a learner notices us beside the model. */
const FIRST_MAX_MS = 50
const CHUNK_MAX_MS = 2

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

type What = Omit<Asking, 'number'>

async function askInTurn(what: What, rounds: number): Promise<Heard[]> {
  const heard: Heard[] = []
  for (let round = 0; round < rounds; round += 1) heard.push(await ask({ ...what, number: (asked += 1) }))
  return heard
}

/** New questions come at their times, whether those before are answered or not. */
async function askTogether(what: What): Promise<Heard[]> {
  const running: Promise<Heard>[] = []
  for (let at = 0; at < PER_SECOND * LOAD_S; at += 1) {
    running.push(ask({ ...what, number: (asked += 1) }))
    await sleep(1_000 / PER_SECOND)
  }
  return Promise.all(running)
}

async function measureAll(stateFolder: string) {
  const loadAtFirst = readLoad()
  const worker = await serveProduct({ entrypoint: join(import.meta.dirname, 'worker.ts'), stateFolder })
  const { url } = worker
  const inTurn = async (name: PlantedName) => {
    const what = { url, path: 'tutor', name } as const
    const planted = await fetch(`${url}/api/bench/plant/${name}`, { method: 'POST' })
    if (!planted.ok) throw new Error(await planted.text())
    const cold = await measure(url, () => askInTurn(what, 1))
    await askInTurn(what, WARM_UPS)
    tell(`${ROUNDS} questions about ${PLANTED[name].segments} segments, one after the other`)
    return { firstEver: cold.first.meanMs, ...(await measure(url, () => askInTurn(what, ROUNDS))) }
  }
  try {
    const tenMinutes = await inTurn('tenMinutes')
    const threeHours = await inTurn('threeHours')
    const bare = await measure(url, () => askInTurn({ url, path: 'bare', name: 'threeHours' }, ROUNDS))
    tell(`${PER_SECOND} new questions a second about the longer one, for ${LOAD_S} s`)
    const together = await measure(url, () => askTogether({ url, path: 'tutor', name: 'threeHours' }))
    const bareTogether = await measure(url, () => askTogether({ url, path: 'bare', name: 'threeHours' }))
    return { tenMinutes, threeHours, bare, together, bareTogether, machine: noiseSince(loadAtFirst) }
  } finally {
    await worker.stop()
  }
}

type All = Awaited<ReturnType<typeof measureAll>>

/** What a chunk costs beside what any stream costs here: usually, and under load at the 95th percentile. */
function ownPerChunkMs({ tenMinutes, threeHours, bare, together, bareTogether }: All) {
  return {
    tenMinutes: tenMinutes.chunk.medianMs - bare.chunk.medianMs,
    threeHours: threeHours.chunk.medianMs - bare.chunk.medianMs,
    together: together.chunk.p95Ms - bareTogether.chunk.p95Ms,
  }
}

function isMet(all: All): boolean {
  const inTurn = [all.tenMinutes, all.threeHours].every(({ first }) => first.medianMs <= FIRST_MAX_MS)
  const chunks = Object.values(ownPerChunkMs(all)).every((ms) => ms <= CHUNK_MAX_MS)
  return inTurn && chunks && all.together.first.p95Ms <= FIRST_MAX_MS
}

function printTable(all: All): void {
  const { tenMinutes, threeHours, bare, together, bareTogether, machine } = all
  const ms = (value: number) => `${value.toFixed(1)} ms`.padStart(10)
  const row = (what: string, { meanMs, medianMs, p95Ms }: Figures, target = '') =>
    console.log(`${what.padEnd(54)}${ms(meanMs)}${ms(medianMs)}${ms(p95Ms)}   ${target}`)
  const own = ownPerChunkMs(all)
  const ownOf = (value: number) => `ours ${value.toFixed(1)} ≤ ${CHUNK_MAX_MS} ms`
  console.log(`${''.padEnd(54)}${['mean', 'median', 'p95'].map((name) => name.padStart(10)).join('')}`)
  row('Before the first token, ten minutes of speech', tenMinutes.first, `median ≤ ${FIRST_MAX_MS} ms`)
  row('Before the first token, three hours', threeHours.first, `median ≤ ${FIRST_MAX_MS} ms`)
  row(`… at ${PER_SECOND} new questions a second`, together.first, `p95 ≤ ${FIRST_MAX_MS} ms`)
  row('Each further chunk, ten minutes of speech', tenMinutes.chunk, ownOf(own.tenMinutes))
  row('Each further chunk, three hours', threeHours.chunk, ownOf(own.threeHours))
  row('… of a stream that is nothing but a stream', bare.chunk)
  row(`Each further chunk, at ${PER_SECOND} new questions a second`, together.chunk, ownOf(own.together))
  row('… of a stream that is nothing but a stream', bareTogether.chunk)
  const ever = `${tenMinutes.firstEver} ms, and ${threeHours.firstEver} ms about three hours`
  console.log(`First question ever, whose index is made: ${ever}`)
  console.log(`Load ${describeNoise(machine)}`)
  console.log(isMet(all) ? 'met' : 'NOT MET')
}

/** One object whose names carry their units. */
function toJson(all: All) {
  const { tenMinutes, threeHours, bare, together, bareTogether, machine } = all
  const own = ownPerChunkMs(all)
  const present = ({ first, chunk }: Measured, ownMs: number, bareStream: Measured) => {
    return { beforeFirstToken: first, perChunk: { ...chunk, ownMs }, perChunkOfBareStream: bareStream.chunk }
  }
  return {
    tenMinutes: { ...present(tenMinutes, own.tenMinutes, bare), firstQuestionEverMs: tenMinutes.firstEver },
    threeHours: { ...present(threeHours, own.threeHours, bare), firstQuestionEverMs: threeHours.firstEver },
    threeHoursUnderLoad: { ...present(together, own.together, bareTogether), questionsPerSecond: PER_SECOND },
    targets: { beforeFirstTokenMs: FIRST_MAX_MS, ownPerChunkMs: CHUNK_MAX_MS, isMet: isMet(all) },
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
