import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import pLimit from 'p-limit'
import { ACCEPTANCE, hasAcceptanceMedia } from '#local/speech/acceptance.ts'
import { prepareWhisper } from '#local/speech/prepare-whisper.ts'
import { TESTED_MODEL } from '#local/speech/whisper/is-whisper-here.ts'
import { mayInstall } from '#local/start/install.ts'
import { openProcesses, signalGroup } from '#local/start/processes.ts'
import { buildSite } from '#local/start/site.ts'
import { readStartConfig, StartError } from '#local/start/start-config.ts'
import { ensureChromium, ensureFirefox, ensureTools, preferHeadlessShell } from '#local/start/tools.ts'
import { openNoiseFilter } from './noise-filter.ts'
import { type Reported, readPlaywright, readVitest, UNIT_RUNS, UNIT_RUNS_AT_ONCE, type UnitRun } from './reports.ts'
import { writeTestSite } from './test-site.ts'
import { makeWorkFolder } from './work-folder.ts'

interface Run {
  name: string
  tests: Reported[]
  ok: boolean
}

interface Tally {
  passed: number
  failed: number
  skipped: number
  /** Passed at the second try; counted in `passed` too. */
  flaky: number
}

/** Sums up; a runner that failed without naming a test, as where a file cannot be loaded, counts as one failure. */
export function tallyRuns(runs: readonly Run[]): Tally {
  const all = runs.flatMap(({ tests }) => tests)
  const count = (wanted: Reported['outcome']) => all.filter(({ outcome }) => outcome === wanted).length
  const unnamed = runs.filter(failedUnnamed)
  return {
    passed: count('passed') + count('flaky'),
    failed: count('failed') + unnamed.length,
    skipped: count('skipped'),
    flaky: count('flaky'),
  }
}

/** As where a file cannot be loaded, or an error is thrown outside of any test. */
function failedUnnamed({ tests, ok }: Run): boolean {
  return !ok && tests.every(({ outcome }) => outcome !== 'failed')
}

/** What is to be looked at, at the end of a long output that is often all that one sees: a line each. */
export function formatUnsteady(runs: readonly Run[]): string[] {
  const named = runs.flatMap(({ tests }) => tests).filter(({ outcome }) => outcome !== 'passed')
  return [
    ...named.map(({ outcome, file, title }) => `${outcome}: ${file} › ${title}`),
    ...runs.filter(failedUnnamed).map(({ name }) => `failed: ${name}, outside of any test`),
  ]
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

const SLOWEST_SHOWN = 10

export function formatSlowest(tests: readonly Reported[]): string[] {
  const times = [...Map.groupBy(tests, ({ file }) => file)].map(([file, own]) => ({
    file,
    tookMs: own.reduce((sum, test) => sum + test.tookMs, 0),
  }))
  const slowest = times.toSorted((a, b) => b.tookMs - a.tookMs).slice(0, SLOWEST_SHOWN)
  return slowest.map(({ file, tookMs }) => `${(tookMs / 1000).toFixed(1).padStart(7)} s  ${file}`)
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

type Read = (report: never) => Reported[]

/** Runs a program that writes a report, and prints what it prints but for the noise. */
async function run(command: string[], reportFile: string, read: Read, env: NodeJS.ProcessEnv = {}): Promise<Run> {
  rmSync(reportFile, { force: true })
  const name = command.slice(0, 3).join(' ')
  const [program = '', ...args] = command
  const colour = process.stdout.isTTY ? { FORCE_COLOR: '1' } : {}
  const child = spawn(program, args, {
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
    env: { ...process.env, ...colour, WRANGLER_LOG: 'error', E2E_WHOLE: '1', ...env },
  })
  const letBe = limitTime(child, name, RUNNER_MAX_MS)
  pass(child.stdout, console.log)
  pass(child.stderr, console.error)
  const [code] = (await once(child, 'close').finally(letBe)) as [number | null]
  try {
    return { name, tests: read(JSON.parse(readFileSync(reportFile, 'utf8')) as never), ok: code === 0 }
  } catch (error) {
    console.error(`No report in ${reportFile}: ${error instanceof Error ? error.message : String(error)}`)
    return { name, tests: [], ok: false }
  }
}

function pass(input: Readable, print: (line: string) => void): void {
  const isNoise = openNoiseFilter()
  createInterface({ input }).on('line', (line) => {
    if (!isNoise(line)) print(line)
  })
}

function runUnits({ report, options: chosen, isStoring = false }: UnitRun, workDir: string): Promise<Run> {
  const reportFile = `test-results/${report}`
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${reportFile}`]
  // What a test logs is shown when it fails.
  const options = ['--allowOnly=false', '--silent=passed-only', ...reporters]
  return run(['vitest', 'run', ...chosen, ...options], reportFile, readVitest, isStoring ? { TMPDIR: workDir } : {})
}

/** The workers of what has just ended may still be writing their last. */
const UNTIL_WRITTEN = { maxRetries: 10, retryDelay: 200 }

/**
 * The journeys wait for the units: they take all of two cores, beside which a test of six seconds took more than sixty.
 * Their machine is a fresh one, whose state goes with them; a run by hand keeps its own, to be looked at.
 */
async function runLanes(): Promise<Run[]> {
  // The runners would write it at the same time, one of them while another reads it.
  writeTestSite()
  const workDir = makeWorkFolder('adapt-tests-')
  const stateDir = join(workDir, 'e2e')
  mkdirSync(stateDir)
  try {
    const limit = pLimit(UNIT_RUNS_AT_ONCE)
    const runs = limit.map(UNIT_RUNS, (unitRun) => runUnits(unitRun, workDir))
    const [units] = await Promise.all([runs, buildPages(stateDir)])
    const env = { E2E_STATE_DIR: stateDir }
    return [...units, await run(['playwright', 'test'], 'test-results/e2e.json', readPlaywright, env)]
  } finally {
    rmSync(workDir, { recursive: true, force: true, ...UNTIL_WRITTEN })
  }
}

/** Builds the pages of the journeys' system before it starts, which would be a minute on one core of two. */
async function buildPages(stateDir: string): Promise<void> {
  const processes = openProcesses(() => {})
  try {
    await buildSite(readStartConfig([], { ...process.env, ADAPT_STATE_DIR: stateDir }), processes)
  } catch (error) {
    // Their system builds them again, and the journeys fail with what it says.
    if (!(error instanceof StartError)) throw error
    console.error(error.message)
  } finally {
    await processes.stopAll()
  }
}

/** Everything that the tests need, before the first of them. @throws {StartError} that names what is missing */
async function provide(): Promise<void> {
  await ensureTools(['ffmpeg', 'flite', 'pocketsphinx', 'apertium', 'pdftotext', 'arial'])
  await ensureChromium()
  await preferHeadlessShell()
  await ensureFirefox()
  await provideWhisper()
  if (!hasAcceptanceMedia()) console.log(`Real recordings are not tested: ${ACCEPTANCE} does not exist.`)
}

/** A slow network has this long for what `npm start` would download too. */
const WHISPER_MAX_MS = 10 * 60_000

/** Tests of real speech need the engine in the cache; where it cannot be had, they are left out. */
async function provideWhisper(): Promise<void> {
  const workDir = mkdtempSync(join(tmpdir(), 'adapt-whisper-'))
  const setup = { workDir, signal: AbortSignal.timeout(WHISPER_MAX_MS), onLine: console.error, onProgress: () => {} }
  try {
    const env = { ...process.env, ADAPT_WHISPER: TESTED_MODEL }
    const whisper = await prepareWhisper({ ...setup, env, mayInstall: mayInstall(process.env), say: console.log })
    await whisper.close()
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    console.log(`Recognition by Whisper is not tested: ${reason}`)
  } finally {
    rmSync(workDir, { recursive: true, force: true })
  }
}

async function runAll(): Promise<Tally> {
  mkdirSync('test-results', { recursive: true })
  try {
    await provide()
  } catch (error) {
    if (!(error instanceof StartError)) throw error
    console.error(error.message)
    return tallyRuns([{ name: 'what the tests need', tests: [], ok: false }])
  }
  const runs = await runLanes()
  console.log('The slowest files:')
  for (const line of formatSlowest(runs.flatMap(({ tests }) => tests))) console.log(line)
  for (const line of formatUnsteady(runs)) console.log(line)
  return tallyRuns(runs)
}

if (import.meta.main) {
  const { lines, ok } = formatEnd(await runAll())
  for (const line of lines) console.log(line)
  process.exitCode = ok ? 0 : 1
}
