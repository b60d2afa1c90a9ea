import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { availableParallelism, loadavg } from 'node:os'
import type { ParseArgsOptionsConfig } from 'node:util'
import type { Tool } from '#local/start/tools.ts'
import type { ServedWorker, serveProduct } from './serve.ts'

/** The middle of some figures; the mean of the middle two. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = Math.floor(sorted.length / 2)
  const upper = sorted[middle] ?? Number.NaN
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? Number.NaN) + upper) / 2
}

/** The smallest value that at least this share of all values does not exceed. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN
}

export function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0)
}

/** Scores are kept and compared with so many decimals. */
export function round(value: number, decimals: number): number {
  return Math.round(value * 10 ** decimals) / 10 ** decimals
}

export function latencyOf(values: readonly number[]) {
  const [p95Ms, p99Ms] = [quantile(values, 0.95), quantile(values, 0.99)]
  return { count: values.length, meanMs: sum(values) / values.length, medianMs: median(values), p95Ms, p99Ms }
}

export interface Spread {
  least: number
  median: number
  most: number
}

export function spreadOf(values: readonly number[]): Spread {
  return { least: Math.min(...values), median: median(values), most: Math.max(...values) }
}

/**
 * `unclear`: the rounds of one run lie on both sides of the limit and most of them miss it, so that the machine was too
 * noisy to judge. That is neither a pass nor a fault of the code: repeat it on a quieter machine.
 */
export type Verdict = 'met' | 'unclear' | 'missed'
export type Limit = { atMost: number } | { atLeast: number }

/** A ratio that was measured several times in one run, each time against what it is compared with at that moment. */
export interface RatioOfRounds extends Spread {
  rounds: number[]
}

export function ratioOfRounds(rounds: readonly { own: number; other: number }[]): RatioOfRounds {
  const ratios = rounds.map(({ own, other }) => own / other)
  return { rounds: ratios, ...spreadOf(ratios) }
}

function isWithin(figure: number, limit: Limit): boolean {
  return 'atMost' in limit ? figure <= limit.atMost : figure >= limit.atLeast
}

export function judgeRatio(ratio: Spread, limit: Limit): Verdict {
  if (isWithin(ratio.median, limit)) return 'met'
  return isWithin('atMost' in limit ? ratio.least : ratio.most, limit) ? 'unclear' : 'missed'
}

/** The ratio with its noise: `1.18 × (1.12–1.25)`. */
export function formatRatio({ least, median, most }: Spread): string {
  return `${median.toFixed(2)} × (${least.toFixed(2)}–${most.toFixed(2)})`
}

/** One figure, and whether it is as it has to be; no verdict where nothing is asked of it. */
export interface Row {
  what: string
  value: string
  verdict?: Verdict
}

const formatLimit = (limit: Limit) => ('atMost' in limit ? `(≤ ${limit.atMost})` : `(≥ ${limit.atLeast})`)

/** Figures as people read them: a number with so many decimals and its unit. */
const inUnit = (unit: string, decimals: number) => (figure: number) => `${figure.toFixed(decimals)} ${unit}`
export const inMs = inUnit('ms', 0)
export const inS = inUnit('s', 1)
export const inKb = inUnit('kB', 1)
export const inNs = inUnit('ns', 0)
export const inMb = inUnit('MB', 0)
export const inTimes = inUnit('×', 2)

export const row = (what: string, value: string): Row => ({ what, value })

/** A row whose figure has to keep a limit. */
export function gate(what: string, figure: number, limit: Limit, shown: string | ((figure: number) => string)): Row {
  const verdict = isWithin(figure, limit) ? 'met' : 'missed'
  return { what, value: `${typeof shown === 'string' ? shown : shown(figure)} ${formatLimit(limit)}`, verdict }
}

/** The same of a ratio over several rounds, with its noise. */
export function ratioGate(what: string, ratio: RatioOfRounds, limit: Limit): Row {
  return { what, value: `${formatRatio(ratio)} ${formatLimit(limit)}`, verdict: judgeRatio(ratio, limit) }
}

/** What one bench found: for `--json` an object whose names carry their units, for people rows, and lines as they are. */
export interface Report {
  json: object
  /** The command ends with 1 where a row was missed. The runner adds the machine's noise, and to `json` what was judged. */
  table: readonly (Row | string)[]
}

const SHOWN_VERDICTS = { met: 'met', unclear: 'UNCLEAR: the rounds do not agree', missed: 'NOT MET' } as const

export function printTable(table: Report['table']): void {
  const width = Math.max(0, ...table.map((line) => (typeof line === 'string' ? 0 : line.what.length)))
  for (const line of table) {
    const verdict = typeof line === 'string' || line.verdict === undefined ? '' : `  ${SHOWN_VERDICTS[line.verdict]}`
    console.log(typeof line === 'string' ? line : `${line.what.padEnd(width)}  ${line.value}${verdict}`)
  }
}

/** Lines of cells below each other, the first of each to the left and the others to the right. */
export function alignCells(lines: readonly (readonly string[])[]): string[] {
  const widths = (lines[0] ?? []).map((_, column) => Math.max(...lines.map((line) => (line[column] ?? '').length)))
  return lines.map(([first = '', ...cells]) => {
    const others = cells.map((cell, at) => cell.padStart((widths[at + 1] ?? 0) + 3))
    return [first.padEnd(widths[0] ?? 0), ...others].join('').trimEnd()
  })
}

/** What else the machine was doing: load averages over a minute, the bench itself included. */
export interface Noise {
  cores: number
  loadAtFirst: number
  loadAtMost: number
  loadAtLast: number
}

const LOOK_AT_LOAD_EVERY_MS = 5_000

/** Watches the machine from now on. @returns what it was doing until the call */
export function watchNoise(): () => Noise {
  const readLoad = () => loadavg()[0] ?? 0
  const loads = [readLoad()]
  setInterval(() => loads.push(readLoad()), LOOK_AT_LOAD_EVERY_MS).unref()
  return () => {
    const loadAtLast = readLoad()
    const loadAtMost = Math.max(loadAtLast, ...loads)
    return { cores: availableParallelism(), loadAtFirst: loads[0] ?? 0, loadAtMost, loadAtLast }
  }
}

export function noiseRow({ cores, loadAtFirst, loadAtMost, loadAtLast }: Noise): Row {
  const [first, most, last] = [loadAtFirst, loadAtMost, loadAtLast].map((load) => load.toFixed(1))
  const value = `${first} before, ${most} at its highest, ${last} at the end, on ${cores} cores`
  return { what: "Noise: the machine's load average", value }
}

/** Keeps scores with the code with `--record`. @returns those that are not as recorded, each a gate that is missed */
export function compareRecorded(file: URL, scores: Readonly<Record<string, number>>, values: Bench['values']): Row[] {
  if (values['record'] === true) writeFileSync(file, `${JSON.stringify(scores, null, 2)}\n`)
  if (!existsSync(file)) return []
  const recorded = JSON.parse(readFileSync(file, 'utf8')) as Record<string, number>
  return Object.entries(scores).flatMap(([what, now]): Row[] => {
    const value = `recorded ${recorded[what] ?? 'nothing'}, now ${now}`
    return recorded[what] === now ? [] : [{ what, value, verdict: 'missed' }]
  })
}

/** Logs how far a bench is, beside its result, which alone goes to the standard output. */
export function logProgress(what: string): void {
  console.error(`· ${what}`)
}

interface ServeOptions extends Omit<Parameters<typeof serveProduct>[0], 'entrypoint' | 'stateFolder'> {
  /** A name for a database of its own, where several workers run beside each other. */
  state?: string
}

/** What the runner gives a scenario. */
export interface Bench {
  /** A folder of its own, removed at the end. */
  folder: string
  /** Of the scenario's `options`. */
  values: Record<string, string | boolean | (string | boolean)[] | undefined>
  /** Starts the product around `bench/worker.ts`; the runner stops it at the end. */
  serve: (options?: ServeOptions) => Promise<ServedWorker>
}

export interface Scenario {
  /** Beside `--json`. */
  options?: ParseArgsOptionsConfig
  tools?: readonly Tool[]
  needsBrowser?: true
  /** @returns null where there is nothing to measure with, which the scenario has said */
  measure(bench: Bench): Promise<Report | null>
}
