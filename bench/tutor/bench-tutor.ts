import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { describeNoise, noiseSince, readLoad } from '../shared/noise.ts'
import { judgeRatio, type RatioOfRounds, ratioOfRounds, tellRatio, type Verdict } from '../shared/rounds.ts'
import { serveProduct } from '../shared/serve-product.ts'
import { median } from '../shared/statistics.ts'
import { tell } from '../shared/tell.ts'
import { type Asking, ask, type Heard } from './ask.ts'
import { type Figures, figuresOf, findOverheads } from './overheads.ts'
import type { ModelCall, PlantedName } from './planted.ts'

const { values } = parseArgs({ options: { json: { type: 'boolean' } } })

const WARM_UPS = 10
/** Of each kind, one after the other: the tutor about the short and the long video, and the bare stream. */
const IN_TURN = 50
const PER_SECOND = 5
/** Each with five new questions a second for the tutor and as many for the bare stream beside them. */
const LOAD_ROUNDS = 4
const LOAD_S = 10
/**
 * How many times what a bare stream takes that reads one row and writes one. The tutor reads the module, the quota and
 * what was asked before, pays, searches three hours of speech, and passes through the module's room.
 */
const FIRST_OVER_BARE_MAX = 8
/** Where a learner notices us beside the model, on any machine that answers a bare stream in a few milliseconds. */
const CHUNK_OVER_BARE_MS = 2

let asked = 0

/** What is ours of some questions' time. */
interface Measured {
  first: Figures
  chunk: Figures
}

type What = Omit<Asking, 'number'>
type Batch<Name extends string> = Record<Name, Heard[]>

/** Runs questions of several kinds beside or after each other, and takes the model's time out of each. */
async function measure<Name extends string>(
  url: string,
  run: () => Promise<Batch<Name>>,
): Promise<Record<Name, Measured>> {
  await fetch(`${url}/api/bench/calls`)
  const heard = await run()
  const calls = (await (await fetch(`${url}/api/bench/calls`)).json()) as ModelCall[]
  const measured = Object.entries<Heard[]>(heard).map(([name, its]) => {
    const overheads = findOverheads(its, calls)
    const first = figuresOf(overheads.map(({ firstMs }) => firstMs))
    return [name, { first, chunk: figuresOf(overheads.flatMap(({ chunksMs }) => chunksMs)) }]
  })
  return Object.fromEntries(measured) as Record<Name, Measured>
}

function askNext(what: What): Promise<Heard> {
  asked += 1
  return ask({ ...what, number: asked })
}

async function askInTurn<Name extends string>(kinds: Record<Name, What>, rounds: number): Promise<Batch<Name>> {
  const entries = Object.entries<What>(kinds)
  const heard = Object.fromEntries(entries.map(([name]) => [name, [] as Heard[]])) as Batch<string>
  for (let round = 0; round < rounds; round += 1) {
    for (const [name, what] of entries) heard[name]?.push(await askNext(what))
  }
  return heard as Batch<Name>
}

/** New questions come at their times, whether those before are answered or not; the two kinds take turns. */
async function askTogether(tutor: What, bare: What): Promise<Batch<'tutor' | 'bare'>> {
  const running: { tutor: Promise<Heard>[]; bare: Promise<Heard>[] } = { tutor: [], bare: [] }
  for (let at = 0; at < PER_SECOND * LOAD_S; at += 1) {
    running.tutor.push(askNext(tutor))
    await sleep(500 / PER_SECOND)
    running.bare.push(askNext(bare))
    await sleep(500 / PER_SECOND)
  }
  return { tutor: await Promise.all(running.tutor), bare: await Promise.all(running.bare) }
}

async function measureAll(stateFolder: string) {
  const loadAtFirst = readLoad()
  const worker = await serveProduct({ entrypoint: join(import.meta.dirname, 'worker.ts'), stateFolder })
  const { url } = worker
  const plant = async (name: PlantedName) => {
    const planted = await fetch(`${url}/api/bench/plant/${name}`, { method: 'POST' })
    if (!planted.ok) throw new Error(await planted.text())
    const { cold } = await measure(url, () => askInTurn({ cold: { url, path: 'tutor', name } }, 1))
    return cold.first.meanMs
  }
  try {
    const firstEverMs = { tenMinutes: await plant('tenMinutes'), threeHours: await plant('threeHours') }
    const kinds = {
      tenMinutes: { url, path: 'tutor', name: 'tenMinutes' },
      threeHours: { url, path: 'tutor', name: 'threeHours' },
      bare: { url, path: 'bare', name: 'threeHours' },
    } as const
    await askInTurn(kinds, WARM_UPS)
    tell(`${IN_TURN} questions of each kind, one after the other`)
    const inTurn = await measure(url, () => askInTurn(kinds, IN_TURN))
    const rounds: Record<'tutor' | 'bare', Measured>[] = []
    for (let round = 0; round < LOAD_ROUNDS; round += 1) {
      tell(`${PER_SECOND} new questions a second about the longer one, and as many bare streams, for ${LOAD_S} s`)
      rounds.push(await measure(url, () => askTogether(kinds.threeHours, kinds.bare)))
    }
    return { firstEverMs, inTurn, rounds, machine: noiseSince(loadAtFirst) }
  } finally {
    await worker.stop()
  }
}

type All = Awaited<ReturnType<typeof measureAll>>

/** Every gate compares what was measured at the same time. */
function judgeAll({ inTurn, rounds }: All) {
  const { bare } = inTurn
  const first = (own: Figures, other: Figures) => [{ own: own.meanMs, other: other.meanMs }]
  const ratios = {
    tenMinutes: ratioOfRounds(first(inTurn.tenMinutes.first, bare.first)),
    threeHours: ratioOfRounds(first(inTurn.threeHours.first, bare.first)),
    underLoadP95: ratioOfRounds(rounds.map(({ tutor, bare }) => ({ own: tutor.first.p95Ms, other: bare.first.p95Ms }))),
  }
  const ownPerChunkMs = {
    tenMinutes: inTurn.tenMinutes.chunk.medianMs - bare.chunk.medianMs,
    threeHours: inTurn.threeHours.chunk.medianMs - bare.chunk.medianMs,
    underLoad: median(rounds.map(({ tutor, bare }) => tutor.chunk.medianMs - bare.chunk.medianMs)),
  }
  const verdicts = Object.values(ratios).map((ratio) => judgeRatio(ratio, { atMost: FIRST_OVER_BARE_MAX }))
  const isOwnSmall = Object.values(ownPerChunkMs).every((ms) => ms <= CHUNK_OVER_BARE_MS)
  const verdict: Verdict =
    verdicts.includes('missed') || !isOwnSmall ? 'missed' : verdicts.includes('unclear') ? 'unclear' : 'met'
  return { ratios, ownPerChunkMs, verdict }
}

function printTable(all: All): void {
  const { inTurn, rounds, firstEverMs, machine } = all
  const { ratios, ownPerChunkMs, verdict } = judgeAll(all)
  const ms = (value: number) => `${value.toFixed(1)} ms`.padStart(10)
  const row = (what: string, { meanMs, medianMs, p95Ms }: Figures, target = '') =>
    console.log(`${what.padEnd(54)}${ms(meanMs)}${ms(medianMs)}${ms(p95Ms)}   ${target}`)
  const overBare = (ratio: RatioOfRounds) => `${tellRatio(ratio)} of a bare stream, ≤ ${FIRST_OVER_BARE_MAX}`
  const ownOf = (value: number) => `ours ${value.toFixed(1)} ≤ ${CHUNK_OVER_BARE_MS} ms`
  console.log(`${''.padEnd(54)}${['mean', 'median', 'p95'].map((name) => name.padStart(10)).join('')}`)
  row('Before the first token, ten minutes of speech', inTurn.tenMinutes.first, overBare(ratios.tenMinutes))
  row('Before the first token, three hours', inTurn.threeHours.first, overBare(ratios.threeHours))
  row('… of a bare stream: one row read, one written', inTurn.bare.first)
  for (const { tutor, bare } of rounds) {
    row(`… at ${PER_SECOND} new questions a second`, tutor.first)
    row('… of as many bare streams at the same time', bare.first)
  }
  console.log(`p95 at ${PER_SECOND} new questions a second: ${overBare(ratios.underLoadP95)}`)
  row('Each further chunk, ten minutes of speech', inTurn.tenMinutes.chunk, ownOf(ownPerChunkMs.tenMinutes))
  row('Each further chunk, three hours', inTurn.threeHours.chunk, ownOf(ownPerChunkMs.threeHours))
  row('… of a bare stream', inTurn.bare.chunk)
  console.log(`Each further chunk at ${PER_SECOND} new questions a second: ${ownOf(ownPerChunkMs.underLoad)}`)
  const { tenMinutes, threeHours } = firstEverMs
  console.log(`First question ever, whose index is made: ${tenMinutes} ms, and ${threeHours} ms about three hours`)
  console.log(`Load ${describeNoise(machine)}`)
  console.log(verdict === 'met' ? 'met' : verdict === 'unclear' ? 'UNCLEAR: the rounds do not agree' : 'NOT MET')
}

/** One object whose names carry their units. */
function toJson(all: All) {
  const { inTurn, rounds, firstEverMs, machine } = all
  const present = ({ first, chunk }: Measured) => ({ beforeFirstToken: first, perChunk: chunk })
  const { tutor, bare } = { tutor: rounds.map((each) => each.tutor), bare: rounds.map((each) => each.bare) }
  const { ratios, ownPerChunkMs, verdict } = judgeAll(all)
  return {
    tenMinutes: { ...present(inTurn.tenMinutes), firstQuestionEverMs: firstEverMs.tenMinutes },
    threeHours: { ...present(inTurn.threeHours), firstQuestionEverMs: firstEverMs.threeHours },
    bareStream: present(inTurn.bare),
    threeHoursUnderLoad: {
      questionsPerSecond: PER_SECOND,
      rounds: tutor.map(present),
      bareStreamRounds: bare.map(present),
    },
    ratiosToBareStream: ratios,
    ownPerChunkMs,
    targets: { ratioToBareStream: FIRST_OVER_BARE_MAX, ownPerChunkMs: CHUNK_OVER_BARE_MS },
    verdict,
    machine,
  }
}

const stateFolder = await mkdtemp(join(tmpdir(), 'adapt-bench-tutor-'))
try {
  const all = await measureAll(stateFolder)
  if (values.json) console.log(JSON.stringify(toJson(all), null, 2))
  else printTable(all)
  if (judgeAll(all).verdict === 'missed') process.exitCode = 1
} finally {
  await rm(stateFolder, { recursive: true, force: true })
}
