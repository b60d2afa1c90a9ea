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

/** Least, median and most of some figures. */
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

/** A ratio that was measured several times in one run, each time against what it is compared with at that moment. */
export interface RatioOfRounds extends Spread {
  rounds: number[]
}

export function ratioOfRounds(rounds: readonly { own: number; other: number }[]): RatioOfRounds {
  const ratios = rounds.map(({ own, other }) => own / other)
  return { rounds: ratios, ...spreadOf(ratios) }
}

export function judgeRatio({ least, median, most }: Spread, limit: { atMost: number } | { atLeast: number }): Verdict {
  if ('atMost' in limit) return median <= limit.atMost ? 'met' : least <= limit.atMost ? 'unclear' : 'missed'
  return median >= limit.atLeast ? 'met' : most >= limit.atLeast ? 'unclear' : 'missed'
}

/** The ratio with its noise: `1.18 × (1.12–1.25)`. */
export function formatRatio({ least, median, most }: Spread): string {
  return `${median.toFixed(2)} × (${least.toFixed(2)}–${most.toFixed(2)})`
}

/** What else the machine was doing: load averages over a minute, when a bench began and at its end. */
export interface Noise {
  cores: number
  loadAtFirst: number
  loadAtLast: number
}

/** The same of a bench that lasts, and that looked in between. */
export type PeakNoise = Omit<Noise, 'loadAtLast'> & { loadAtMost: number }

/** What the machine was doing over the last minute, the bench itself included. */
export function readLoad(): number {
  return loadavg()[0] ?? 0
}

export function noiseSince(loadAtFirst: number): Noise {
  return { cores: availableParallelism(), loadAtFirst, loadAtLast: readLoad() }
}

/** @param loads in the order in which they were read; the first one when the bench began */
export function peakOf(loads: readonly number[]): PeakNoise {
  return { cores: availableParallelism(), loadAtFirst: loads[0] ?? 0, loadAtMost: Math.max(...loads) }
}

export function describeNoise({ cores, loadAtFirst, ...then }: Noise | PeakNoise): string {
  const last =
    'loadAtLast' in then ? `${then.loadAtLast.toFixed(1)} at the end` : `${then.loadAtMost.toFixed(1)} at its highest`
  return `${loadAtFirst.toFixed(1)} before, ${last}, on ${cores} cores`
}

/** One figure, and whether it is as it has to be; left out where nothing is asked of it. */
export interface Row {
  what: string
  value: string
  isMet?: boolean
}

/** Prints figures below each other. */
export function printRows(rows: readonly Row[]): void {
  const width = Math.max(...rows.map(({ what }) => what.length))
  for (const { what, value, isMet } of rows) {
    const verdict = isMet === undefined ? '' : isMet ? '  met' : '  NOT MET'
    console.log(`${what.padEnd(width)}  ${value}${verdict}`)
  }
}

export function noiseRow(noise: Noise | PeakNoise): Row {
  return { what: "Noise: the machine's load average", value: describeNoise(noise) }
}

/** Keeps scores with the code, so that a change shows what it does to them. */
export function record(file: URL, scores: Readonly<Record<string, number>>): void {
  writeFileSync(file, `${JSON.stringify(scores, null, 2)}\n`)
}

/** Scores that are not those that were recorded, each a gate that is missed. */
export function rowsOfRecorded(file: URL, scores: Readonly<Record<string, number>>): Row[] {
  if (!existsSync(file)) return []
  const recorded = JSON.parse(readFileSync(file, 'utf8')) as Record<string, number>
  return Object.entries(scores)
    .filter(([name, value]) => recorded[name] !== value)
    .map(([name, value]) => ({
      what: name,
      value: `recorded ${recorded[name] ?? 'nothing'}, now ${value}`,
      isMet: false,
    }))
}

/** Logs how far a bench is, beside its result, which alone goes to the standard output. */
export function logProgress(what: string): void {
  console.error(`· ${what}`)
}

/** What the runner gives a scenario. */
export interface Bench {
  /** A folder of its own, removed at the end. */
  folder: string
  /** Of the scenario's `options`. */
  values: Record<string, string | boolean | (string | boolean)[] | undefined>
  /** Starts the product around `bench/worker.ts` or another entry; the runner stops it if the scenario has not. */
  serve: (options?: Partial<Parameters<typeof serveProduct>[0]>) => Promise<ServedWorker>
}

/** One bench: what it needs, what it measures, and what it makes of the figures. */
export interface Scenario<Figures> {
  /** Beside `--json`. */
  options?: ParseArgsOptionsConfig
  tools?: readonly Tool[]
  needsBrowser?: true
  /** @returns null where there is nothing to measure with, which the scenario has said */
  measure(bench: Bench): Promise<Figures | null>
  /** One object whose names carry their units. */
  toJson(figures: Figures): unknown
  /** The table. The command ends with 1 where a row `isMet: false`, which says that a gate is missed. */
  rows(figures: Figures): Row[]
  /** Prints another table than that of the rows, of which then only the gates count. */
  print?(figures: Figures): void
}
