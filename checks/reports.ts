import { relative } from 'node:path'

/** A test that `npm test` reported. */
export interface Reported {
  file: string
  /** With the titles of the groups that hold it. */
  title: string
  /** A flaky one passed at the second try. */
  outcome: 'passed' | 'flaky' | 'failed' | 'skipped'
  /** All tries together. */
  tookMs: number
}

interface VitestReport {
  testResults: {
    name: string
    assertionResults: { status: string; fullName: string; duration?: number | null }[]
  }[]
}

export function readVitest({ testResults }: VitestReport, root = process.cwd()): Reported[] {
  return testResults.flatMap(({ name, assertionResults }) =>
    assertionResults.map(({ status, fullName, duration }) => ({
      file: relative(root, name),
      title: fullName,
      outcome: status === 'passed' || status === 'failed' ? status : 'skipped',
      tookMs: duration ?? 0,
    })),
  )
}

interface PlaywrightSuite {
  file: string
  title: string
  suites?: PlaywrightSuite[]
  specs?: { title: string; tests: { status: string; results: { duration: number }[] }[] }[]
}

const OUTCOMES: Record<string, Reported['outcome']> = { expected: 'passed', flaky: 'flaky', skipped: 'skipped' }

export function readPlaywright({ suites }: { suites: PlaywrightSuite[] }): Reported[] {
  return suites.flatMap(readSuite)
}

function readSuite({ file, title: group, suites = [], specs = [] }: PlaywrightSuite): Reported[] {
  const own = specs.flatMap(({ title, tests }) =>
    tests.map(({ status, results }) => ({
      file: `e2e/${file}`,
      title,
      outcome: OUTCOMES[status] ?? 'failed',
      tookMs: results.reduce((sum, { duration }) => sum + duration, 0),
    })),
  )
  return [...own, ...suites.flatMap(readSuite)].map((test) => ({ ...test, title: `${group} ${test.title}` }))
}
