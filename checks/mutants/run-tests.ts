import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import type { JsonTestResults } from 'vitest/node'
import { signalGroup } from '#local/start/processes.ts'
import type { Project } from './choose-tests.ts'
import type { Mutant } from './list-mutants.ts'

/** What one run of Vitest is given, in its environment. */
export interface RunInput {
  project: Project
  /** In the order in which they run. */
  tests: readonly string[]
  /** Null: the sources as they are. */
  mutant: Mutant | null
}

const VARIABLE = 'MUTANT_RUN'

export function readRunInput(): RunInput {
  return JSON.parse(process.env[VARIABLE] ?? '{"project":"plain","tests":[],"mutant":null}') as RunInput
}

/** `broken`: the run itself failed, so nothing is known. @param by the first test file that failed */
export type RunOutcome = { kind: 'passed' } | { kind: 'failed'; by: string } | { kind: 'hung' } | { kind: 'broken' }

/** Several times what the slowest tests take; a loop that never waits is ended only from outside. */
const HANG_MS: Record<Project, number> = { plain: 180_000, worker: 300_000, web: 240_000 }
const ROOT = join(import.meta.dirname, '../..')

/** Runs tests in a process of their own, which a loop in a changed source cannot outlast. */
export async function runTests(input: RunInput): Promise<RunOutcome> {
  const folder = mkdtempSync(join(tmpdir(), 'adapt-mutant-'))
  const report = join(folder, 'report.json')
  const reporters = ['--reporter=json', `--outputFile.json=${report}`]
  const child = spawn('vitest', ['run', '--config', 'checks/mutants/vitest.config.ts', ...reporters], {
    cwd: ROOT,
    stdio: 'ignore',
    detached: true,
    env: { ...process.env, [VARIABLE]: JSON.stringify(input) },
  })
  let hasHung = false
  const timer = setTimeout(() => {
    hasHung = true
    if (child.pid !== undefined) signalGroup(child.pid, 'SIGKILL')
  }, HANG_MS[input.project])
  try {
    const [code] = (await once(child, 'close')) as [number | null]
    if (hasHung) return { kind: 'hung' }
    if (code === 0) return { kind: 'passed' }
    if (!existsSync(report)) return { kind: 'broken' }
    return readFailure(JSON.parse(readFileSync(report, 'utf8')) as JsonTestResults)
  } finally {
    clearTimeout(timer)
    rmSync(folder, { recursive: true, force: true })
  }
}

function readFailure({ testResults }: JsonTestResults): RunOutcome {
  const failed = testResults.find(({ status }) => status === 'failed')
  return failed === undefined ? { kind: 'broken' } : { kind: 'failed', by: relative(ROOT, failed.name) }
}
