import { setTimeout as sleep } from 'node:timers/promises'
import { keepPace, mapValues, takeTurns } from '../rounds.ts'
import {
  alignCells,
  type Bench,
  logProgress,
  median,
  noiseRow,
  quantile,
  type Report,
  type Row,
  ratioGate,
  ratioOfRounds,
  type Scenario,
  sum,
  type Verdict,
} from '../scenario.ts'
import type { ServedWorker } from '../serve.ts'
import type { ModelCall, PlantRequest } from '../wire.ts'
import { ask, findOverheads, PLANTED, type PlantedName, type Received } from './ask.ts'

const WARM_UPS = 10
/** Of each sentence of the planted narration. */
const SENTENCE_MS = 6_000
/** Of each kind, one after the other: the tutor about the short and the long video, and the bare stream. */
const IN_TURN = 50
/** Each with five new questions a second for the tutor and as many for the bare stream beside them. */
const LOAD_ROUNDS = 4
const LOAD = { perSecond: 5, seconds: 10 }
/**
 * How many times what a bare stream takes that reads one row and writes one. The tutor reads the module, the quota and
 * what was asked before, pays, searches three hours of speech, and passes through the module's room.
 */
const FIRST_OVER_BARE_MAX = 8
/** The same of each further chunk, which is checked against the video, kept and passed through the room. */
const CHUNK_OVER_BARE_MAX = 3

/** What is asked, and of which stream. */
const KINDS = {
  tenMinutes: { path: 'tutor', name: 'tenMinutes' },
  threeHours: { path: 'tutor', name: 'threeHours' },
  bare: { path: 'bare', name: 'threeHours' },
} as const
type Kind = keyof typeof KINDS
const NAMES = Object.keys(KINDS) as Kind[]

const figuresOf = (values: readonly number[]) => ({
  meanMs: sum(values) / values.length,
  medianMs: median(values),
  p95Ms: quantile(values, 0.95),
  count: values.length,
})

/** What is ours of some questions' time. */
interface Measured {
  beforeFirstToken: ReturnType<typeof figuresOf>
  perChunk: ReturnType<typeof figuresOf>
}

/** Runs questions of several kinds beside or after each other, and takes the model's time out of each. */
async function measure<Name extends string>(
  worker: ServedWorker,
  run: () => Promise<Record<Name, Received[]>>,
): Promise<Record<Name, Measured>> {
  await worker.ask('/api/bench/calls')
  const received = await run()
  const calls = await worker.ask<ModelCall[]>('/api/bench/calls')
  return mapValues(received, (its: Received[]) => {
    const overheads = findOverheads(its, calls)
    return {
      beforeFirstToken: figuresOf(overheads.map(({ firstMs }) => firstMs)),
      perChunk: figuresOf(overheads.flatMap(({ chunksMs }) => chunksMs)),
    }
  })
}

async function measureAll({ serve, noise }: Bench) {
  const worker = await serve()
  let number = 0
  const askNext = (kind: Kind) => {
    number += 1
    return ask({ url: worker.url, ...KINDS[kind], number })
  }
  await worker.ask('/api/bench/sql', { sql: 'CREATE TABLE bench_bare (question TEXT)' })
  const plant = async (name: PlantedName) => {
    const { id, segments } = PLANTED[name]
    const module = { id, userId: 'bench.owner.x', durationMs: segments * SENTENCE_MS, stepsVersion: 1 }
    await worker.ask('/api/bench/modules', { module, sentences: segments } satisfies PlantRequest)
    const { cold } = await measure(worker, async () => ({ cold: [await askNext(name)] }))
    return cold.beforeFirstToken.meanMs
  }
  const firstEverMs = { tenMinutes: await plant('tenMinutes'), threeHours: await plant('threeHours') }
  await takeTurns(NAMES, { rounds: WARM_UPS }, askNext)
  logProgress(`${IN_TURN} questions of each kind, one after the other`)
  const inTurn = await measure(worker, () => takeTurns(NAMES, { rounds: IN_TURN }, askNext))
  const rounds: Record<'tutor' | 'bare', Measured>[] = []
  while (rounds.length < LOAD_ROUNDS) {
    const { perSecond, seconds } = LOAD
    logProgress(`${perSecond} new questions a second about the longer one, and as many bare streams, for ${seconds} s`)
    const together = await measure(worker, async () => {
      const tutor = keepPace(LOAD, () => askNext('threeHours'))
      // Halfway between two questions, so that the two kinds take turns.
      await sleep(500 / perSecond)
      const bare = keepPace(LOAD, () => askNext('bare'))
      return { tutor: await tutor, bare: await bare }
    })
    rounds.push(together)
  }
  return { firstEverMs, inTurn, rounds, machine: noise() }
}

type All = Awaited<ReturnType<typeof measureAll>>

/** Every gate compares what was measured at the same time. */
function compare({ inTurn, rounds }: All) {
  const of = (part: keyof Measured, figure: 'meanMs' | 'p95Ms') => ({
    ...mapValues({ tenMinutes: inTurn.tenMinutes, threeHours: inTurn.threeHours }, (own) =>
      ratioOfRounds([{ own: own[part].meanMs, other: inTurn.bare[part].meanMs }]),
    ),
    underLoad: ratioOfRounds(
      rounds.map(({ tutor, bare }) => ({ own: tutor[part][figure], other: bare[part][figure] })),
    ),
  })
  const { underLoad: underLoadP95, ...first } = of('beforeFirstToken', 'p95Ms')
  return { beforeFirstToken: { ...first, underLoadP95 }, perChunk: of('perChunk', 'meanMs') }
}

function listGates({ beforeFirstToken: first, perChunk: chunk }: ReturnType<typeof compare>): Row[] {
  const [short, long] = ['ten minutes of speech', 'three hours']
  const underLoad = `at ${LOAD.perSecond} new questions a second`
  const firstLimit = { atMost: FIRST_OVER_BARE_MAX }
  const chunkLimit = { atMost: CHUNK_OVER_BARE_MAX }
  return [
    ratioGate(`Before the first token / of a bare stream, ${short}`, first.tenMinutes, firstLimit),
    ratioGate(`Before the first token / of a bare stream, ${long}`, first.threeHours, firstLimit),
    ratioGate(`Before the first token / of a bare stream, p95 ${underLoad}`, first.underLoadP95, firstLimit),
    ratioGate(`Each further chunk / of a bare stream, ${short}`, chunk.tenMinutes, chunkLimit),
    ratioGate(`Each further chunk / of a bare stream, ${long}`, chunk.threeHours, chunkLimit),
    ratioGate(`Each further chunk / of a bare stream, ${underLoad}`, chunk.underLoad, chunkLimit),
  ]
}

function listTimes({ inTurn, rounds }: All): string[] {
  const line = (what: string, part: keyof Measured, measured: Measured) => {
    const { meanMs, medianMs, p95Ms } = measured[part]
    return [what, ...[meanMs, medianMs, p95Ms].map((value) => `${value.toFixed(1)} ms`)]
  }
  return alignCells([
    ['', 'mean', 'median', 'p95'],
    line('Before the first token, ten minutes of speech', 'beforeFirstToken', inTurn.tenMinutes),
    line('Before the first token, three hours', 'beforeFirstToken', inTurn.threeHours),
    line('… of a bare stream: one row read, one written', 'beforeFirstToken', inTurn.bare),
    ...rounds.flatMap(({ tutor, bare }) => [
      line(`… at ${LOAD.perSecond} new questions a second`, 'beforeFirstToken', tutor),
      line('… of as many bare streams at the same time', 'beforeFirstToken', bare),
    ]),
    line('Each further chunk, ten minutes of speech', 'perChunk', inTurn.tenMinutes),
    line('Each further chunk, three hours', 'perChunk', inTurn.threeHours),
    line('… of a bare stream', 'perChunk', inTurn.bare),
  ])
}

function report(all: All): Report {
  const { inTurn, rounds, firstEverMs, machine } = all
  const ratios = compare(all)
  const gates = listGates(ratios)
  const isAny = (verdict: Verdict) => gates.some((row) => row.verdict === verdict)
  const first = `${firstEverMs.tenMinutes} ms, and ${firstEverMs.threeHours} ms about three hours`
  return {
    json: {
      tenMinutes: { ...inTurn.tenMinutes, firstQuestionEverMs: firstEverMs.tenMinutes },
      threeHours: { ...inTurn.threeHours, firstQuestionEverMs: firstEverMs.threeHours },
      bareStream: inTurn.bare,
      threeHoursUnderLoad: {
        questionsPerSecond: LOAD.perSecond,
        rounds: rounds.map(({ tutor }) => tutor),
        bareStreamRounds: rounds.map(({ bare }) => bare),
      },
      ratiosToBareStream: ratios,
      targets: { beforeFirstTokenRatio: FIRST_OVER_BARE_MAX, perChunkRatio: CHUNK_OVER_BARE_MAX },
      verdict: isAny('missed') ? 'missed' : isAny('unclear') ? 'unclear' : 'met',
      machine,
    },
    table: [
      ...listTimes(all),
      ...gates,
      { what: 'First question ever, whose index is made', value: first },
      noiseRow(machine),
    ],
  }
}

/** What is ours of the time until the tutor's answer. */
export const scenario: Scenario = { measure: async (bench) => report(await measureAll(bench)) }
