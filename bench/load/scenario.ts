import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { REQUEST_TIMEOUT_MS } from '#contract/limits.ts'
import { type Caller, openCaller } from '../client.ts'
import { findWorkerds, residentMb } from '../processes.ts'
import { mapValues, repeatFor } from '../rounds.ts'
import {
  alignCells,
  type Bench,
  gate,
  inMs,
  latencyOf,
  logProgress,
  type Report,
  type Row,
  type Scenario,
  sum,
} from '../scenario.ts'
import { type Heap, openHeap } from './heap.ts'
import {
  ACTIONS,
  type ActionName,
  findLost,
  MODULE_COUNT,
  moduleIdOf,
  OWNER,
  openWatchers,
  PEOPLE,
  SOCKETS,
  type Traffic,
} from './traffic.ts'

/** Before anything is measured: code is compiled, caches fill. */
const WARM_UP_S = 10
/** The bare route alone, before and after. */
const BARE_S = 5
/** Of the run; after each, what the worker holds is looked at. */
const SLICES = 4
const CONNECTIONS = 1 + sum(Object.values(PEOPLE))
const MEMORY_EVERY_MS = 1_000
/** Sixteen sentences of six seconds. */
const NARRATION_MS = 96_000
/** A video without audio, so that its run ends by itself. */
const VIDEO = join(import.meta.dirname, '../../local/media/fixtures/silent-track.mp4')

/** What the worker holds at the end of the run, of what it held when the run began. */
const HEAP_RATIO_MAX = 1.1
/**
 * `wrangler dev` gives heaps no limit and collects them late, so that even a route that does nothing makes its process
 * grow with each call. What people do may cost some such calls; what is kept for good would add up to far more.
 */
const GROWTH_OF_BARE_MAX = 4

const NAMES: Record<ActionName | 'bare', string> = {
  bare: 'The bare route beside all of it',
  view: 'A shared page is opened',
  edit: 'Steps are saved',
  ask: 'A question is answered',
  upload: 'A small video is uploaded: three calls',
  rate: 'Feedback is given',
  learn: 'What was watched is reported',
}

/** Milliseconds of each whole action. */
type Times = Record<ActionName | 'bare', number[]>

const askBare = (caller: Caller) => caller.ask({ path: '/api/bench/bare' })

/** Megabytes of all `workerd` below this process; NaN where there is no `/proc`. */
const workersMb = () => residentMb(findWorkerds()) || Number.NaN

/** The bare route alone, with as many connections. @returns how long each answer took */
function measureBare(caller: Caller): Promise<number[]> {
  return repeatFor({ seconds: BARE_S, atOnce: CONNECTIONS }, () => askBare(caller))
}

/** All people at once, and beside them one who asks the bare route. */
async function runTraffic(traffic: Traffic, seconds: number, errors: string[]): Promise<Times> {
  const onError = (error: unknown) => errors.push(String(error))
  const acting = mapValues(NAMES, (_, name) => {
    const people = name === 'bare' ? 1 : PEOPLE[name]
    const act = name === 'bare' ? () => askBare(traffic.caller) : (person: number) => ACTIONS[name](traffic, person)
    return Array.from({ length: people }, (__, person) => repeatFor({ seconds, onError }, () => act(person)))
  })
  const times = {} as Times
  for (const name of Object.keys(NAMES) as (keyof Times)[]) times[name] = (await Promise.all(acting[name])).flat()
  return times
}

/** As long as was asked for, with a look into the worker's heap before and after each slice. */
async function runInSlices(traffic: Traffic, { heap, seconds }: { heap: Heap; seconds: number }, errors: string[]) {
  const heapMb = [await heap.readMb()]
  const slices: Times[] = []
  while (slices.length < SLICES) {
    slices.push(await runTraffic(traffic, seconds / SLICES, errors))
    heapMb.push(await heap.readMb())
  }
  return { times: mapValues(NAMES, (_, name) => slices.flatMap((slice) => slice[name])), heapMb }
}

async function measureAll({ serve, values }: Bench) {
  const seconds = Number(values['seconds'])
  const worker = await serve({ isInspected: true })
  const caller = openCaller(worker.url, CONNECTIONS)
  const heap = await openHeap(worker.inspectorUrl ?? '', () => askBare(caller))
  for (let number = 0; number < MODULE_COUNT; number += 1)
    await worker.seed({ id: moduleIdOf(number), userId: OWNER, durationMs: NARRATION_MS })
  const video = await readFile(VIDEO)
  const traffic: Traffic = { worker, caller, video, acknowledged: new Map(), versions: new Map() }
  const closeWatchers = await openWatchers(traffic)
  const errors: string[] = []
  logProgress(`warming up for ${WARM_UP_S} s`)
  await runTraffic(traffic, WARM_UP_S, errors)
  const bareFromMb = workersMb()
  const before = await measureBare(caller)
  const bareGrownMb = workersMb() - bareFromMb
  logProgress(`${CONNECTIONS} connections for ${seconds} s`)
  const samplesMb = [workersMb()]
  const sampler = setInterval(() => samplesMb.push(workersMb()), MEMORY_EVERY_MS)
  const { times, heapMb } = await runInSlices(traffic, { heap, seconds }, errors)
  clearInterval(sampler)
  const after = await measureBare(caller)
  logProgress('looking for everything that was acknowledged')
  const lost = await findLost(traffic)
  const watched = await closeWatchers()
  heap.close()
  caller.close()
  return { seconds, times, errors, lost, before, after, bareGrownMb, heapMb, samplesMb, ...watched }
}

type Figures = Awaited<ReturnType<typeof measureAll>>

function relate({ seconds, times, before, after, bareGrownMb, heapMb, samplesMb }: Figures) {
  const alone = latencyOf([...before, ...after])
  const actions = mapValues(times, (list: number[]) => {
    const { medianMs, p95Ms, p99Ms } = latencyOf(list)
    const ratioToBare = { median: medianMs / alone.medianMs, p95: p95Ms / alone.p95Ms, p99: p99Ms / alone.p99Ms }
    return { perS: list.length / seconds, medianMs, p95Ms, p99Ms, ratioToBare }
  })
  const count = sum(Object.values(times).map((list) => list.length)) - times.bare.length
  const grown = (samples: readonly number[]) => {
    const [firstMb = Number.NaN, lastMb = Number.NaN] = [samples[0], samples.at(-1)]
    return { firstMb, lastMb, perActionKb: ((lastMb - firstMb) * 1024) / count }
  }
  const [heap, processes] = [grown(heapMb), grown(samplesMb)]
  const perBareCallKb = (bareGrownMb * 1024) / before.length
  const bareAlone = { beforePerS: before.length / BARE_S, afterPerS: after.length / BARE_S, ...alone }
  const [perS, bareAlonePerS] = [count / seconds, (bareAlone.beforePerS + bareAlone.afterPerS) / 2]
  return {
    actions,
    throughput: { perS, bareAlonePerS, ratioToBare: perS / bareAlonePerS },
    bareAlone,
    memory: {
      heap: { afterSlicesMb: heapMb, ...heap, ratio: heap.lastMb / heap.firstMb },
      processes: { samplesMb, ...processes, perBareCallKb, ratioToBare: processes.perActionKb / perBareCallKb },
    },
  }
}

type Related = ReturnType<typeof relate>

function listGates({ errors, lost, socketsBehind }: Figures, { actions, memory }: Related): Row[] {
  const slowestMs = Math.max(...Object.values(actions).map(({ p99Ms }) => p99Ms))
  const { heap, processes } = memory
  const heapShown = `${heap.firstMb.toFixed(1)} MB to ${heap.lastMb.toFixed(1)} MB, ${heap.perActionKb.toFixed(2)} kB an action, ${heap.ratio.toFixed(2)}×`
  const grown = `${processes.firstMb.toFixed(0)} to ${processes.lastMb.toFixed(0)} MB, ${processes.perActionKb.toFixed(0)} kB an action, ${processes.ratioToBare.toFixed(1)}× of ${processes.perBareCallKb.toFixed(0)} kB a bare call`
  // Without /proc there is nothing to judge.
  const growth = Number.isNaN(processes.ratioToBare) ? 0 : processes.ratioToBare
  return [
    gate('errors', errors.length, { atMost: 0 }, String),
    gate('acknowledged and lost', lost.length, { atMost: 0 }, String),
    gate(`sockets of ${SOCKETS} that did not receive the last edit`, socketsBehind, { atMost: 0 }, String),
    gate('slowest 99th percentile', slowestMs, { atMost: REQUEST_TIMEOUT_MS }, inMs),
    gate('heap', heap.ratio, { atMost: HEAP_RATIO_MAX }, heapShown),
    gate('processes', growth, { atMost: GROWTH_OF_BARE_MAX }, grown),
  ]
}

function listActions({ actions }: Related): string[] {
  const cell = (ms: number, ratio: number) => `${inMs(ms)} ${ratio.toFixed(1)}×`
  const lines = Object.entries(NAMES).map(([name, label]) => {
    const { perS, medianMs, p95Ms, p99Ms, ratioToBare: ratio } = actions[name as keyof Times]
    const cells = [cell(medianMs, ratio.median), cell(p95Ms, ratio.p95), cell(p99Ms, ratio.p99)]
    return [label, perS.toFixed(1), ...cells]
  })
  return alignCells([['× of the bare route alone', 'per second', 'median', 'p95', 'p99'], ...lines])
}

function report(figures: Figures): Report {
  const { seconds, errors, lost, events, socketsBehind } = figures
  const related = relate(figures)
  const { throughput, bareAlone: bare } = related
  const [perS, barePerS] = [throughput.perS.toFixed(0), throughput.bareAlonePerS.toFixed(0)]
  return {
    json: { runS: seconds, ...related, errors, lost, events, socketsBehind },
    table: [
      ...listActions(related),
      `Bare alone: median ${inMs(bare.medianMs)}, p95 ${inMs(bare.p95Ms)}, p99 ${inMs(bare.p99Ms)}; ${bare.beforePerS.toFixed(0)}/s before, ${bare.afterPerS.toFixed(0)}/s after`,
      `All of it: ${perS} actions a second, ${throughput.ratioToBare.toFixed(2)}× of ${barePerS} calls of the bare route alone`,
      `${events} events received by ${SOCKETS} sockets`,
      ...listGates(figures, related),
      ...[...errors, ...lost].slice(0, 10).map((what) => `  ${what}`),
    ],
  }
}

/** Everything that people do, at the same time, as fast as this machine can. */
export const scenario: Scenario = {
  options: { seconds: { type: 'string', default: '60' } },
  measure: async (bench) => report(await measureAll(bench)),
}
