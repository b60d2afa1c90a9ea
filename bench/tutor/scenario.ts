import { setTimeout as sleep } from 'node:timers/promises'
import { keepPace, mapValues, takeTurns } from '../rounds.ts'
import {
  alignCells,
  type Bench,
  logProgress,
  type RatioOfRounds,
  type Row,
  ratioGate,
  ratioOfRounds,
  row,
  type Scenario,
} from '../scenario.ts'
import type { ServedWorker } from '../serve.ts'
import type { ModelCall } from '../wire.ts'
import { ask, findOverheads, type Overheads, PLANTED, type PlantedName, type Received } from './ask.ts'

const WARM_UPS = 10
/** Of each sentence of the planted narration. */
const SENTENCE_MS = 6_000
/** Of each kind, one after the other: the tutor about the short and the long video, and the bare stream. */
const IN_TURN = 50
/** Each with five new questions a second for the tutor and as many for the bare stream beside them. */
const LOAD_ROUNDS = 4
const LOAD = { perSecond: 5, seconds: 10 }

const KINDS = {
  tenMinutes: { path: 'tutor', name: 'tenMinutes' },
  threeHours: { path: 'tutor', name: 'threeHours' },
  bare: { path: 'bare', name: 'threeHours' },
} as const
type Kind = keyof typeof KINDS
const NAMES = Object.keys(KINDS) as Kind[]

const UNDER_LOAD = `at ${LOAD.perSecond} new questions a second`
const SHORT = 'ten minutes of speech'
const LONG = 'three hours'
/**
 * How many times what a bare stream takes that reads one row and writes one. The tutor reads the module, the quota and
 * what was asked before, pays, searches three hours of speech, and passes through the module's room.
 */
const FIRST_OVER_BARE_MAX = 8
/** The same of each further chunk, which is checked against the video, kept and passed through the room. */
const CHUNK_OVER_BARE_MAX = 3

/** Runs questions of several kinds beside or after each other, and takes the model's time out of each. */
async function measure<Name extends string>(worker: ServedWorker, run: () => Promise<Record<Name, Received[]>>) {
  await worker.ask('/api/bench/calls')
  const received = await run()
  const calls = await worker.ask<ModelCall[]>('/api/bench/calls')
  return mapValues(received, (its: Received[]) => findOverheads(its, calls))
}

async function measureAll({ serve }: Bench) {
  const worker = await serve()
  let number = 0
  const askNext = (kind: Kind) => {
    number += 1
    return ask({ url: worker.url, ...KINDS[kind], number })
  }
  await worker.sql('CREATE TABLE bench_bare (question TEXT)')
  const plant = async (name: PlantedName) => {
    const { id, segments } = PLANTED[name]
    await worker.seed({ id, userId: 'bench.owner.x', durationMs: segments * SENTENCE_MS, stepsVersion: 1 }, segments)
    const { cold } = await measure(worker, async () => ({ cold: [await askNext(name)] }))
    return cold.beforeFirstToken.meanMs
  }
  const firstEverMs = { tenMinutes: await plant('tenMinutes'), threeHours: await plant('threeHours') }
  await takeTurns(NAMES, { rounds: WARM_UPS }, askNext)
  logProgress(`${IN_TURN} questions of each kind, one after the other`)
  const inTurn = await measure(worker, () => takeTurns(NAMES, { rounds: IN_TURN }, askNext))
  const rounds: Record<'tutor' | 'bare', Overheads>[] = []
  while (rounds.length < LOAD_ROUNDS) {
    logProgress(`${LOAD.seconds} s of the longer one ${UNDER_LOAD}, and as many bare streams`)
    const together = await measure(worker, async () => {
      const tutor = keepPace(LOAD, () => askNext('threeHours'))
      // Halfway between two questions, so that the two kinds take turns.
      await sleep(500 / LOAD.perSecond)
      const bare = keepPace(LOAD, () => askNext('bare'))
      return { tutor: await tutor, bare: await bare }
    })
    rounds.push(together)
  }
  return { firstEverMs, inTurn, rounds }
}

type All = Awaited<ReturnType<typeof measureAll>>

/** Every gate compares what was measured at the same time. */
function compare({ inTurn, rounds }: All) {
  const of = (part: keyof Overheads, figure: 'meanMs' | 'p95Ms') => {
    const over = (pairs: readonly { tutor: Overheads; bare: Overheads }[], compared: typeof figure) =>
      ratioOfRounds(pairs.map(({ tutor, bare }) => ({ own: tutor[part][compared], other: bare[part][compared] })))
    const inTurnOver = (name: PlantedName) => over([{ tutor: inTurn[name], bare: inTurn.bare }], 'meanMs')
    const underLoad = over(rounds, figure)
    return { tenMinutes: inTurnOver('tenMinutes'), threeHours: inTurnOver('threeHours'), underLoad }
  }
  const { underLoad: underLoadP95, ...first } = of('beforeFirstToken', 'p95Ms')
  return { beforeFirstToken: { ...first, underLoadP95 }, perChunk: of('perChunk', 'meanMs') }
}

function listGates({ beforeFirstToken: first, perChunk: chunk }: ReturnType<typeof compare>): Row[] {
  const firstGate = (what: string, ratio: RatioOfRounds) =>
    ratioGate(`Before the first token / of a bare stream, ${what}`, ratio, { atMost: FIRST_OVER_BARE_MAX })
  const chunkGate = (what: string, ratio: RatioOfRounds) =>
    ratioGate(`Each further chunk / of a bare stream, ${what}`, ratio, { atMost: CHUNK_OVER_BARE_MAX })
  return [
    firstGate(SHORT, first.tenMinutes),
    firstGate(LONG, first.threeHours),
    firstGate(`p95 ${UNDER_LOAD}`, first.underLoadP95),
    chunkGate(SHORT, chunk.tenMinutes),
    chunkGate(LONG, chunk.threeHours),
    chunkGate(UNDER_LOAD, chunk.underLoad),
  ]
}

function listTimes({ inTurn, rounds }: All): string[] {
  const line = (what: string, { meanMs, medianMs, p95Ms }: Overheads[keyof Overheads]) => [
    what,
    ...[meanMs, medianMs, p95Ms].map((value) => `${value.toFixed(1)} ms`),
  ]
  return alignCells([
    ['', 'mean', 'median', 'p95'],
    line(`Before the first token, ${SHORT}`, inTurn.tenMinutes.beforeFirstToken),
    line(`Before the first token, ${LONG}`, inTurn.threeHours.beforeFirstToken),
    line('… of a bare stream: one row read, one written', inTurn.bare.beforeFirstToken),
    ...rounds.flatMap(({ tutor, bare }) => [
      line(`… ${UNDER_LOAD}`, tutor.beforeFirstToken),
      line('… of as many bare streams at the same time', bare.beforeFirstToken),
    ]),
    line(`Each further chunk, ${SHORT}`, inTurn.tenMinutes.perChunk),
    line(`Each further chunk, ${LONG}`, inTurn.threeHours.perChunk),
    line('… of a bare stream', inTurn.bare.perChunk),
  ])
}

/** What is ours of the time until the tutor's answer. */
export const scenario: Scenario = {
  async measure(bench) {
    const all = await measureAll(bench)
    const { inTurn, rounds, firstEverMs } = all
    const ratiosToBareStream = compare(all)
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
        ratiosToBareStream,
      },
      table: [
        ...listTimes(all),
        ...listGates(ratiosToBareStream),
        row('First question ever, whose index is made', first),
      ],
    }
  },
}
