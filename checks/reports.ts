import { existsSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import type { JSONReport, JSONReportSuite } from '@playwright/test/reporter'
import type { JsonTestResults } from 'vitest/node'

export interface Reported {
  file: string
  /** With the titles of the groups that hold it. */
  title: string
  /** As in `checks/promises/promises.json`, with those of its groups. */
  tags: readonly string[]
  /** A flaky one passed at the second try. */
  outcome: 'passed' | 'flaky' | 'failed' | 'skipped'
  /** All tries together. */
  tookMs: number
}

export interface UnitRun {
  /** Its file in `test-results/`. */
  report: string
  options: string[]
  /** Writes to databases, and runs no program from its folder for temporary files. */
  isStoring?: boolean
}

/** So many run beside each other: one runs its files one after the other, and waits for a third of its time in workerd. */
export const UNIT_RUNS_AT_ONCE = 4
/** In the order of their start: those in workerd take longest, those in Node wait for programs, and the last has to be short. */
export const UNIT_RUNS: readonly UnitRun[] = [
  { report: 'vitest-worker-1.json', options: ['--project=worker', '--shard=1/3'], isStoring: true },
  { report: 'vitest-worker-2.json', options: ['--project=worker', '--shard=2/3'], isStoring: true },
  { report: 'vitest-worker-3.json', options: ['--project=worker', '--shard=3/3'], isStoring: true },
  { report: 'vitest-node.json', options: ['--project=node'] },
  { report: 'vitest-web.json', options: ['--project=web'] },
]

export function readVitest({ testResults }: JsonTestResults, root = process.cwd()): Reported[] {
  return testResults.flatMap(({ name, assertionResults }) =>
    assertionResults.map(({ status, fullName, tags, duration }) => ({
      file: relative(root, name),
      title: fullName,
      tags,
      outcome: status === 'passed' || status === 'failed' ? status : 'skipped',
      tookMs: duration ?? 0,
    })),
  )
}

const OUTCOMES = { expected: 'passed', flaky: 'flaky', skipped: 'skipped', unexpected: 'failed' } as const

export function readPlaywright({ suites }: JSONReport): Reported[] {
  return suites.flatMap(readSuite)
}

function readSuite({ file, title: group, suites = [], specs }: JSONReportSuite): Reported[] {
  const own = specs.flatMap(({ title, tags, tests }) =>
    tests.map(({ status, results }) => ({
      file: `e2e/${file}`,
      title,
      tags,
      outcome: OUTCOMES[status],
      tookMs: results.reduce((sum, { duration }) => sum + duration, 0),
    })),
  )
  return [...own, ...suites.flatMap(readSuite)].map((test) => ({ ...test, title: `${group} ${test.title}` }))
}

const JOURNEYS_REPORT = 'e2e.json'

/** Reads the reports of the last run of each runner. @throws where one of them is not there, unless it may be missing */
export function readReports(root: string, { allowMissing = false } = {}): Reported[] {
  const read = <Report>(name: string, parse: (report: Report) => Reported[]) => {
    const path = join(root, 'test-results', name)
    if (allowMissing && !existsSync(path)) return []
    return parse(JSON.parse(readFileSync(path, 'utf8')) as Report)
  }
  const units = UNIT_RUNS.flatMap(({ report }) => read(report, (results: JsonTestResults) => readVitest(results, root)))
  return [...units, ...read(JOURNEYS_REPORT, readPlaywright)]
}
