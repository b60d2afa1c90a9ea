import { type ChildProcess, type StdioOptions, spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { ACCEPTANCE, hasAcceptanceMedia } from '#local/speech/acceptance.ts'
import { signalGroup } from '#local/start/processes.ts'
import { StartError } from '#local/start/start-config.ts'
import { ensureChromium, ensureFirefox, ensureTools, preferHeadlessShell } from '#local/start/tools.ts'
import { openNoiseFilter } from './noise-filter.ts'

/** What one runner counted. */
export interface Tally {
  passed: number
  failed: number
  skipped: number
  /** Passed at the second try; counted in `passed` too. */
  flaky: number
}

const NOT_RUN: Tally = { passed: 0, failed: 1, skipped: 0, flaky: 0 }

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
  return { passed: report.numPassedTests, failed, skipped: report.numPendingTests + report.numTodoTests, flaky: 0 }
}

interface PlaywrightReport {
  stats: { expected: number; unexpected: number; flaky: number; skipped: number }
  errors: unknown[]
}

export function tallyPlaywright({ stats, errors }: PlaywrightReport): Tally {
  const failed = stats.unexpected > 0 ? stats.unexpected : Math.min(1, errors.length)
  return { passed: stats.expected + stats.flaky, failed, skipped: stats.skipped, flaky: stats.flaky }
}

/** Sums up; a runner that failed without naming a test still counts as one failure. */
export function sumTallies(runs: { tally: Tally; ok: boolean }[]): Tally {
  return runs.reduce(
    (sum, { tally, ok }) => ({
      passed: sum.passed + tally.passed,
      failed: sum.failed + (ok ? tally.failed : Math.max(1, tally.failed)),
      skipped: sum.skipped + tally.skipped,
      flaky: sum.flaky + tally.flaky,
    }),
    { passed: 0, failed: 0, skipped: 0, flaky: 0 },
  )
}

/** One or two journeys may meet a bad moment of the machine; more of them are a fault of the journeys or of Adapt. */
const FLAKY_MAX = 2

/** The end of the output. Too many flaky journeys count as failed, and so does a test that was skipped. */
export function formatEnd({ passed, failed, skipped, flaky }: Tally): { lines: string[]; ok: boolean } {
  const unsteady = flaky > FLAKY_MAX ? flaky : 0
  const allFailed = failed + skipped + unsteady
  return {
    lines: [
      ...(skipped > 0 ? [`${skipped} skipped, which counts as failed; the reasons are above.`] : []),
      `${flaky} flaky`,
      `${passed - unsteady} passed, ${allFailed} failed`,
    ],
    ok: allFailed === 0,
  }
}

/** How long a file of tests took. */
export interface FileTime {
  file: string
  tookMs: number
}

const SLOWEST_SHOWN = 10

export function formatSlowest(times: readonly FileTime[]): string[] {
  const slowest = times.toSorted((a, b) => b.tookMs - a.tookMs).slice(0, SLOWEST_SHOWN)
  return slowest.map(({ file, tookMs }) => `${(tookMs / 1000).toFixed(1).padStart(7)} s  ${file}`)
}

interface VitestTimes {
  testResults: { name: string; startTime: number; endTime: number }[]
}

export function timesOfVitest({ testResults }: VitestTimes): FileTime[] {
  return testResults.map(({ name, startTime, endTime }) => ({
    file: relative(process.cwd(), name),
    tookMs: endTime - startTime,
  }))
}

interface PlaywrightSuite {
  file: string
  suites?: PlaywrightSuite[]
  specs?: { tests: { results: { duration: number }[] }[] }[]
}

export function timesOfPlaywright({ suites }: { suites: PlaywrightSuite[] }): FileTime[] {
  return suites.map((suite) => ({ file: `e2e/${suite.file}`, tookMs: sumMs(suite) }))
}

function sumMs({ suites = [], specs = [] }: PlaywrightSuite): number {
  const own = specs.flatMap(({ tests }) => tests.flatMap(({ results }) => results.map(({ duration }) => duration)))
  return [...own, ...suites.map(sumMs)].reduce((sum, ms) => sum + ms, 0)
}

interface Run {
  tally: Tally
  times: FileTime[]
  ok: boolean
}

interface Reading {
  reportFile: string
  tally: (report: never) => Tally
  times: (report: never) => FileTime[]
}

/** Several times what the longest runner takes on two cores: a busy machine is no reason to end one. */
const RUNNER_MAX_MS = 60 * 60_000
const INTERRUPTS = ['SIGINT', 'SIGTERM'] as const

/**
 * Ends a runner and all that it has started when it takes too long: a test that loops without waiting cannot be ended
 * by its own runner. @param child leads a process group of its own. @returns the way to let it be
 */
export function limitTime(child: ChildProcess, what: string, limitMs: number): () => void {
  const stop = (signal: NodeJS.Signals) => child.pid !== undefined && signalGroup(child.pid, signal)
  const timer = setTimeout(() => {
    console.error(`${what} has not ended within ${limitMs / 60_000} minutes and was killed: a test in it loops.`)
    stop('SIGKILL')
  }, limitMs)
  // Terminals and `timeout` signal only the group of this process.
  for (const signal of INTERRUPTS) process.on(signal, stop)
  return () => {
    clearTimeout(timer)
    for (const signal of INTERRUPTS) process.off(signal, stop)
  }
}

async function run(command: string[], read: Reading, env: NodeJS.ProcessEnv = {}): Promise<Run> {
  rmSync(read.reportFile, { force: true })
  const [program = '', ...args] = command
  const stdio: StdioOptions = ['ignore', 'pipe', 'pipe']
  const colour = process.stdout.isTTY ? { FORCE_COLOR: '1' } : {}
  const child = spawn(program, args, {
    stdio,
    detached: true,
    env: { ...process.env, ...colour, WRANGLER_LOG: 'error', E2E_WHOLE: '1', ...env },
  })
  const letBe = limitTime(child, command.slice(0, 3).join(' '), RUNNER_MAX_MS)
  pass(child.stdout, (line) => console.log(line))
  pass(child.stderr, (line) => console.error(line))
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject).once('close', resolve)
  }).finally(letBe)
  return { ...readReport(read), ok: code === 0 }
}

function pass(output: Readable | null, print: (line: string) => void): void {
  if (output === null) return
  const isNoise = openNoiseFilter()
  createInterface({ input: output }).on('line', (line) => {
    if (!isNoise(line)) print(line)
  })
}

function readReport({ reportFile, tally, times }: Reading): Omit<Run, 'ok'> {
  try {
    const report = JSON.parse(readFileSync(reportFile, 'utf8')) as never
    return { tally: tally(report), times: times(report) }
  } catch (error) {
    console.error(`No report in ${reportFile}: ${error instanceof Error ? error.message : String(error)}`)
    return { tally: NOT_RUN, times: [] }
  }
}

function runUnits(name: string, projects: string): Promise<Run> {
  const reportFile = `test-results/vitest-${name}.json`
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${reportFile}`]
  // What a test logs is shown when it fails.
  const options = ['--allowOnly=false', '--silent=passed-only', ...reporters]
  const read = { reportFile, tally: tallyVitest, times: timesOfVitest }
  return run(['vitest', 'run', `--project=${projects}`, ...options], read)
}

/**
 * What runs in workerd is one process that runs its files one after the other. Beside it runs all the rest, and then
 * the journeys begin: with building the site and transcribing recordings, which can wait.
 */
function runLanes(): Promise<Run[]> {
  const rest = runUnits('rest', '!worker')
  return Promise.all([runUnits('worker', 'worker'), rest, rest.then(runJourneys)])
}

/** The workers of what has just ended may still be writing their last. */
const UNTIL_WRITTEN = { maxRetries: 10, retryDelay: 200 }

/** On a fresh machine, whose state goes with them; a run by hand keeps its own, to be looked at. */
async function runJourneys(): Promise<Run> {
  const stateDir = mkdtempSync(join(tmpdir(), 'adapt-e2e-'))
  const read = { reportFile: 'test-results/e2e.json', tally: tallyPlaywright, times: timesOfPlaywright }
  try {
    return await run(['playwright', 'test'], read, { E2E_STATE_DIR: stateDir })
  } finally {
    rmSync(stateDir, { recursive: true, force: true, ...UNTIL_WRITTEN })
  }
}

/** Everything that the tests need, before the first of them. @throws {StartError} that names what is missing */
async function provide(): Promise<void> {
  await ensureTools(['ffmpeg', 'flite', 'pocketsphinx'])
  await ensureChromium()
  await preferHeadlessShell()
  await ensureFirefox()
  if (!hasAcceptanceMedia()) console.log(`Real recordings are not tested: ${ACCEPTANCE} does not exist.`)
}

async function runAll(): Promise<Tally> {
  mkdirSync('test-results', { recursive: true })
  try {
    await provide()
  } catch (error) {
    if (!(error instanceof StartError)) throw error
    console.error(error.message)
    return NOT_RUN
  }
  const runs = await runLanes()
  console.log('The slowest files:')
  for (const line of formatSlowest(runs.flatMap(({ times }) => times))) console.log(line)
  return sumTallies(runs)
}

if (import.meta.main) {
  const { lines, ok } = formatEnd(await runAll())
  for (const line of lines) console.log(line)
  process.exitCode = ok ? 0 : 1
}
