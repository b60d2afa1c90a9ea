import { REQUEST_TIMEOUT_MS } from '#contract/limits.ts'
import { describeNoise, median, type Noise, quantile } from '../scenario.ts'
import { type ActionName, SOCKETS } from './traffic.ts'

export interface Figures {
  seconds: number
  /** Milliseconds of each whole action. */
  times: Record<ActionName | 'bare', number[]>
  errors: string[]
  lost: string[]
  /** Milliseconds of each answer of the bare route with nothing beside it, before the run and after it. */
  bareAlone: { seconds: number; before: number[]; after: number[]; grownMb: number }
  /** Of the worker's isolate after a collection: when the run begins, and after each slice of it. */
  heapMb: number[]
  /** Of the whole processes, once a second. */
  samplesMb: number[]
  /** That sockets have received. */
  events: number
  socketsBehind: number
  machine: Noise
}

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

function latencyOf(values: readonly number[]) {
  return { medianMs: median(values), p95Ms: quantile(values, 0.95), p99Ms: quantile(values, 0.99) }
}

function countActions({ times }: Figures): number {
  const { bare: _, ...actions } = times
  return Object.values(actions).reduce((sum, list) => sum + list.length, 0)
}

/** What the worker held of use: after a collection, at first and at last. */
function heapOf(figures: Figures) {
  const [firstMb = Number.NaN, lastMb = Number.NaN] = [figures.heapMb[0], figures.heapMb.at(-1)]
  const perActionKb = ((lastMb - firstMb) * 1024) / countActions(figures)
  return { afterSlicesMb: figures.heapMb, firstMb, lastMb, ratio: lastMb / firstMb, perActionKb }
}

/** How much the workers' processes grew, in all and by each action or call; NaN where it could not be read. */
function processesOf(figures: Figures) {
  const { samplesMb, bareAlone } = figures
  const count = countActions(figures)
  const [firstMb = Number.NaN, lastMb = Number.NaN] = [samplesMb[0], samplesMb.at(-1)]
  const perActionKb = ((lastMb - firstMb) * 1024) / count
  const perBareCallKb = (bareAlone.grownMb * 1024) / bareAlone.before.length
  return { firstMb, lastMb, perActionKb, perBareCallKb, ratioToBare: perActionKb / perBareCallKb }
}

/** Calls per second. */
function barePerSOf({ bareAlone: { seconds, before, after } }: Figures) {
  return { before: before.length / seconds, after: after.length / seconds }
}

function throughputOf(figures: Figures) {
  const barePerS = barePerSOf(figures)
  const perS = countActions(figures) / figures.seconds
  const besides = (barePerS.before + barePerS.after) / 2
  return { perS, bareAlonePerS: besides, ratioToBare: perS / besides }
}

/** The gates, with what was measured. */
export function limitsOf(figures: Figures): { what: string; isMet: boolean }[] {
  const { firstMb, lastMb, perActionKb, perBareCallKb, ratioToBare } = processesOf(figures)
  const heap = heapOf(figures)
  const slowestMs = Math.max(...Object.values(figures.times).map((list) => quantile(list, 0.99)))
  return [
    { what: `errors: ${figures.errors.length}`, isMet: figures.errors.length === 0 },
    { what: `acknowledged and lost: ${figures.lost.length}`, isMet: figures.lost.length === 0 },
    {
      what: `sockets of ${SOCKETS} that did not receive the last edit: ${figures.socketsBehind}`,
      isMet: figures.socketsBehind === 0,
    },
    {
      what: `slowest 99th percentile: ${slowestMs.toFixed(0)} ms (≤ ${REQUEST_TIMEOUT_MS})`,
      isMet: slowestMs <= REQUEST_TIMEOUT_MS,
    },
    {
      what: `heap: ${heap.firstMb.toFixed(1)} MB to ${heap.lastMb.toFixed(1)} MB, ${heap.perActionKb.toFixed(2)} kB an action, ${heap.ratio.toFixed(2)}× (≤ ${HEAP_RATIO_MAX})`,
      isMet: heap.ratio <= HEAP_RATIO_MAX,
    },
    {
      what: `processes: ${firstMb.toFixed(0)} to ${lastMb.toFixed(0)} MB, ${perActionKb.toFixed(0)} kB an action, ${ratioToBare.toFixed(1)}× of ${perBareCallKb.toFixed(0)} kB a bare call (≤ ${GROWTH_OF_BARE_MAX})`,
      isMet: !(ratioToBare > GROWTH_OF_BARE_MAX),
    },
  ]
}

export function printReport(figures: Figures): void {
  const { before: bareBefore, after: bareAfter } = figures.bareAlone
  const bare = latencyOf([...bareBefore, ...bareAfter])
  const cell = (value: number, other: number) => `${value.toFixed(0)} ms ${(value / other).toFixed(1)}×`.padStart(16)
  const heads = ['per second', 'median', 'p95', 'p99'].map((name) => name.padStart(16)).join('')
  console.log(`${''.padEnd(46)}${heads}   × of the bare route alone`)
  for (const [name, label] of Object.entries(NAMES)) {
    const list = figures.times[name as ActionName | 'bare']
    const { medianMs, p95Ms, p99Ms } = latencyOf(list)
    const perS = (list.length / figures.seconds).toFixed(1).padStart(16)
    const cells = cell(medianMs, bare.medianMs) + cell(p95Ms, bare.p95Ms) + cell(p99Ms, bare.p99Ms)
    console.log(`${label.padEnd(46)}${perS}${cells}`)
  }
  const { perS, bareAlonePerS, ratioToBare } = throughputOf(figures)
  console.log(
    `Bare alone: median ${bare.medianMs.toFixed(0)} ms, p95 ${bare.p95Ms.toFixed(0)} ms, p99 ${bare.p99Ms.toFixed(0)} ms`,
  )
  console.log(
    `All of it: ${perS.toFixed(0)} actions a second, ${ratioToBare.toFixed(2)}× of ${bareAlonePerS.toFixed(0)} calls of the bare route alone`,
  )
  console.log(`${figures.events} events received by ${SOCKETS} sockets`)
  const { before, after } = barePerSOf(figures)
  console.log(
    `Noise: bare route ${before.toFixed(0)}/s before, ${after.toFixed(0)}/s after; load ${describeNoise(figures.machine)}`,
  )
  for (const { what, isMet: met } of limitsOf(figures)) console.log(`${what}  ${met ? 'met' : 'NOT MET'}`)
  for (const what of [...figures.errors, ...figures.lost].slice(0, 10)) console.log(`  ${what}`)
}

function presentAction(list: readonly number[], of: { seconds: number; bare: ReturnType<typeof latencyOf> }) {
  const latency = latencyOf(list)
  const ratioToBare = {
    median: latency.medianMs / of.bare.medianMs,
    p95: latency.p95Ms / of.bare.p95Ms,
    p99: latency.p99Ms / of.bare.p99Ms,
  }
  return { perS: list.length / of.seconds, ...latency, ratioToBare }
}

/** One object whose names carry their units. */
export function toJson(figures: Figures) {
  const { times, samplesMb, seconds, errors, lost, events, socketsBehind, machine, bareAlone } = figures
  const bare = latencyOf([...bareAlone.before, ...bareAlone.after])
  const actions = Object.fromEntries(
    Object.entries(times).map(([name, list]) => [name, presentAction(list, { seconds, bare })]),
  )
  const memory = { heap: heapOf(figures), processes: { samplesMb, ...processesOf(figures) } }
  const limits = Object.fromEntries(limitsOf(figures).map((limit) => [limit.what, limit.isMet]))
  return {
    runS: seconds,
    actions,
    throughput: throughputOf(figures),
    bareAlone: { beforePerS: barePerSOf(figures).before, afterPerS: barePerSOf(figures).after, ...bare },
    errors,
    lost,
    events,
    socketsBehind,
    memory,
    machine,
    limits,
    isMet: limitsOf(figures).every((limit) => limit.isMet),
  }
}
