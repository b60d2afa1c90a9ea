import type { ParseArgsOptionsConfig } from 'node:util'
import type { Tool } from '#local/start/tools.ts'
import type { Row } from './figures.ts'
import type { ServedWorker, serveProduct } from './serve.ts'

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
