import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** What one runner counted. */
export interface Tally {
  passed: number
  failed: number
  skipped: number
}

interface VitestReport {
  numPassedTests: number
  numFailedTests: number
  numPendingTests: number
  numTodoTests: number
  numFailedTestSuites: number
}

/** A suite that could not even be loaded counts as one failure, or its tests would be missing in silence. */
export function tallyVitest(report: VitestReport): Tally {
  const failed = report.numFailedTests > 0 ? report.numFailedTests : Math.min(1, report.numFailedTestSuites)
  return { passed: report.numPassedTests, failed, skipped: report.numPendingTests + report.numTodoTests }
}

interface PlaywrightReport {
  stats: { expected: number; unexpected: number; flaky: number; skipped: number }
  errors: unknown[]
}

export function tallyPlaywright({ stats, errors }: PlaywrightReport): Tally {
  const failed = stats.unexpected > 0 ? stats.unexpected : Math.min(1, errors.length)
  return { passed: stats.expected + stats.flaky, failed, skipped: stats.skipped }
}

/** Sums up; a runner that failed without naming a test still counts as one failure. */
export function sumTallies(runs: { tally: Tally; ok: boolean }[]): Tally {
  return runs.reduce(
    (sum, { tally, ok }) => ({
      passed: sum.passed + tally.passed,
      failed: sum.failed + (ok ? tally.failed : Math.max(1, tally.failed)),
      skipped: sum.skipped + tally.skipped,
    }),
    { passed: 0, failed: 0, skipped: 0 },
  )
}

function run(command: string[], reportFile: string, read: (report: never) => Tally): { tally: Tally; ok: boolean } {
  rmSync(reportFile, { force: true })
  const [program = '', ...args] = command
  const { status } = spawnSync(program, args, {
    stdio: 'inherit',
    env: { ...process.env, WRANGLER_LOG: 'error', E2E_WHOLE: '1' },
  })
  return { tally: readReport(reportFile, read), ok: status === 0 }
}

/** The workers of what has just ended may still be writing their last. */
const UNTIL_WRITTEN = { maxRetries: 10, retryDelay: 200 }

/** On a fresh machine, whose state goes with them; a run by hand keeps its own, to be looked at. */
function runJourneys(): { tally: Tally; ok: boolean } {
  const stateDir = mkdtempSync(join(tmpdir(), 'adapt-e2e-'))
  process.env['E2E_STATE_DIR'] = stateDir
  try {
    return run(['playwright', 'test'], 'test-results/e2e.json', tallyPlaywright)
  } finally {
    rmSync(stateDir, { recursive: true, force: true, ...UNTIL_WRITTEN })
  }
}

function readReport(file: string, read: (report: never) => Tally): Tally {
  try {
    return read(JSON.parse(readFileSync(file, 'utf8')) as never)
  } catch (error) {
    console.error(`No report in ${file}: ${error instanceof Error ? error.message : String(error)}`)
    return { passed: 0, failed: 1, skipped: 0 }
  }
}

if (import.meta.main) {
  mkdirSync('test-results', { recursive: true })
  const units = run(
    ['vitest', 'run', '--reporter=default', '--reporter=json', '--outputFile.json=test-results/vitest.json'],
    'test-results/vitest.json',
    tallyVitest,
  )
  const journeys = runJourneys()
  const { passed, failed, skipped } = sumTallies([units, journeys])
  if (skipped > 0) console.log(`${skipped} skipped; the reasons are above.`)
  console.log(`${passed} passed, ${failed} failed`)
  process.exitCode = failed === 0 ? 0 : 1
}
