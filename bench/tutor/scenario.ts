import { setTimeout as sleep } from 'node:timers/promises'
import {
  type Bench,
  describeNoise,
  formatRatio,
  judgeRatio,
  logProgress,
  noiseSince,
  type RatioOfRounds,
  ratioOfRounds,
  readLoad,
  type Scenario,
  type Verdict,
} from '../scenario.ts'
import { askWorker } from '../serve.ts'
import type { ModelCall, PlantRequest, SqlRequest } from '../wire.ts'
import {
  type Asking,
  ask,
  type Figures,
  figuresOf,
  findOverheads,
  PLANTED,
  type PlantedName,
  type Received,
} from './ask.ts'

const WARM_UPS = 10
/** Of each sentence of the planted narration. */
const SENTENCE_MS = 6_000
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
/** The same of each further chunk, which is checked against the video, kept and passed through the room. */
const CHUNK_OVER_BARE_MAX = 3

let asked = 0

/** What is ours of some questions' time. */
interface Measured {
  first: Figures
  chunk: Figures
}

type What = Omit<Asking, 'number'>
type Batch<Name extends string> = Record<Name, Received[]>

/** Runs questions of several kinds beside or after each other, and takes the model's time out of each. */
async function measure<Name extends string>(
  url: string,
  run: () => Promise<Batch<Name>>,
): Promise<Record<Name, Measured>> {
  await fetch(`${url}/api/bench/calls`)
  const received = await run()
  const calls = (await (await fetch(`${url}/api/bench/calls`)).json()) as ModelCall[]
  const measured = Object.entries<Received[]>(received).map(([name, its]) => {
    const overheads = findOverheads(its, calls)
    const first = figuresOf(overheads.map(({ firstMs }) => firstMs))
    return [name, { first, chunk: figuresOf(overheads.flatMap(({ chunksMs }) => chunksMs)) }]
  })
  return Object.fromEntries(measured) as Record<Name, Measured>
}

function askNext(what: What): Promise<Received> {
  asked += 1
  return ask({ ...what, number: asked })
}

async function askInTurn<Name extends string>(kinds: Record<Name, What>, rounds: number): Promise<Batch<Name>> {
  const entries = Object.entries<What>(kinds)
  const received = Object.fromEntries(entries.map(([name]) => [name, [] as Received[]])) as Batch<string>
  for (let round = 0; round < rounds; round += 1) {
    for (const [name, what] of entries) received[name]?.push(await askNext(what))
  }
  return received as Batch<Name>
}

/** New questions come at their times, whether those before are answered or not; the two kinds take turns. */
async function askTogether(tutor: What, bare: What): Promise<Batch<'tutor' | 'bare'>> {
  const running: { tutor: Promise<Received>[]; bare: Promise<Received>[] } = { tutor: [], bare: [] }
  for (let at = 0; at < PER_SECOND * LOAD_S; at += 1) {
    running.tutor.push(askNext(tutor))
    await sleep(500 / PER_SECOND)
    running.bare.push(askNext(bare))
    await sleep(500 / PER_SECOND)
  }
  return { tutor: await Promise.all(running.tutor), bare: await Promise.all(running.bare) }
}

async function measureAll({ serve }: Bench) {
  const loadAtFirst = readLoad()
  const { url } = await serve()
  const createTable: SqlRequest = { sql: 'CREATE TABLE bench_bare (question TEXT)' }
  await askWorker(`${url}/api/bench/sql`, { post: createTable })
  const plant = async (name: PlantedName) => {
    const { id, segments } = PLANTED[name]
    const module = { id, userId: 'bench.owner.x', durationMs: segments * SENTENCE_MS, stepsVersion: 1 }
    await askWorker(`${url}/api/bench/modules`, { post: { module, sentences: segments } satisfies PlantRequest })
    const { cold } = await measure(url, () => askInTurn({ cold: { url, path: 'tutor', name } }, 1))
    return cold.first.meanMs
  }
  const firstEverMs = { tenMinutes: await plant('tenMinutes'), threeHours: await plant('threeHours') }
  const kinds = {
    tenMinutes: { url, path: 'tutor', name: 'tenMinutes' },
    threeHours: { url, path: 'tutor', name: 'threeHours' },
    bare: { url, path: 'bare', name: 'threeHours' },
  } as const
  await askInTurn(kinds, WARM_UPS)
  logProgress(`${IN_TURN} questions of each kind, one after the other`)
  const inTurn = await measure(url, () => askInTurn(kinds, IN_TURN))
  const rounds: Record<'tutor' | 'bare', Measured>[] = []
  for (let round = 0; round < LOAD_ROUNDS; round += 1) {
    logProgress(`${PER_SECOND} new questions a second about the longer one, and as many bare streams, for ${LOAD_S} s`)
    rounds.push(await measure(url, () => askTogether(kinds.threeHours, kinds.bare)))
  }
  return { firstEverMs, inTurn, rounds, machine: noiseSince(loadAtFirst) }
}

type All = Awaited<ReturnType<typeof measureAll>>

type Figure = (measured: Measured) => number
const firstMean: Figure = ({ first }) => first.meanMs
const firstP95: Figure = ({ first }) => first.p95Ms
const chunkMean: Figure = ({ chunk }) => chunk.meanMs

/** Every gate compares what was measured at the same time. */
function judgeAll({ inTurn, rounds }: All) {
  const alone = (own: Measured, of: Figure) => ratioOfRounds([{ own: of(own), other: of(inTurn.bare) }])
  const underLoad = (of: Figure) =>
    ratioOfRounds(rounds.map(({ tutor, bare }) => ({ own: of(tutor), other: of(bare) })))
  const first = {
    tenMinutes: alone(inTurn.tenMinutes, firstMean),
    threeHours: alone(inTurn.threeHours, firstMean),
    underLoadP95: underLoad(firstP95),
  }
  const chunk = {
    tenMinutes: alone(inTurn.tenMinutes, chunkMean),
    threeHours: alone(inTurn.threeHours, chunkMean),
    underLoad: underLoad(chunkMean),
  }
  const verdicts = [
    ...Object.values(first).map((ratio) => judgeRatio(ratio, { atMost: FIRST_OVER_BARE_MAX })),
    ...Object.values(chunk).map((ratio) => judgeRatio(ratio, { atMost: CHUNK_OVER_BARE_MAX })),
  ]
  const verdict: Verdict = (['missed', 'unclear'] as const).find((each) => verdicts.includes(each)) ?? 'met'
  return { first, chunk, verdict }
}

function printTable(all: All): void {
  const { inTurn, rounds, firstEverMs, machine } = all
  const { first, chunk, verdict } = judgeAll(all)
  const ms = (value: number) => `${value.toFixed(1)} ms`.padStart(10)
  const row = (what: string, { meanMs, medianMs, p95Ms }: Figures, target = '') =>
    console.log(`${what.padEnd(54)}${ms(meanMs)}${ms(medianMs)}${ms(p95Ms)}   ${target}`)
  const overBare = (ratio: RatioOfRounds, most = FIRST_OVER_BARE_MAX) =>
    `${formatRatio(ratio)} of a bare stream, ≤ ${most}`
  const chunkOverBare = (ratio: RatioOfRounds) => overBare(ratio, CHUNK_OVER_BARE_MAX)
  console.log(`${''.padEnd(54)}${['mean', 'median', 'p95'].map((name) => name.padStart(10)).join('')}`)
  row('Before the first token, ten minutes of speech', inTurn.tenMinutes.first, overBare(first.tenMinutes))
  row('Before the first token, three hours', inTurn.threeHours.first, overBare(first.threeHours))
  row('… of a bare stream: one row read, one written', inTurn.bare.first)
  for (const { tutor, bare } of rounds) {
    row(`… at ${PER_SECOND} new questions a second`, tutor.first)
    row('… of as many bare streams at the same time', bare.first)
  }
  console.log(`p95 at ${PER_SECOND} new questions a second: ${overBare(first.underLoadP95)}`)
  row('Each further chunk, ten minutes of speech', inTurn.tenMinutes.chunk, chunkOverBare(chunk.tenMinutes))
  row('Each further chunk, three hours', inTurn.threeHours.chunk, chunkOverBare(chunk.threeHours))
  row('… of a bare stream', inTurn.bare.chunk)
  console.log(`Each further chunk at ${PER_SECOND} new questions a second: ${chunkOverBare(chunk.underLoad)}`)
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
  const { first, chunk, verdict } = judgeAll(all)
  return {
    tenMinutes: { ...present(inTurn.tenMinutes), firstQuestionEverMs: firstEverMs.tenMinutes },
    threeHours: { ...present(inTurn.threeHours), firstQuestionEverMs: firstEverMs.threeHours },
    bareStream: present(inTurn.bare),
    threeHoursUnderLoad: {
      questionsPerSecond: PER_SECOND,
      rounds: tutor.map(present),
      bareStreamRounds: bare.map(present),
    },
    ratiosToBareStream: { beforeFirstToken: first, perChunk: chunk },
    targets: { beforeFirstTokenRatio: FIRST_OVER_BARE_MAX, perChunkRatio: CHUNK_OVER_BARE_MAX },
    verdict,
    machine,
  }
}

/** What is ours of the time until the tutor's answer. */
export const tutor: Scenario<All> = {
  measure: measureAll,
  toJson,
  print: printTable,
  rows: (all) => [{ what: 'the tutor beside a bare stream', value: '', isMet: judgeAll(all).verdict !== 'missed' }],
}
