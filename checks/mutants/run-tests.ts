import { type ChildProcess, fork } from 'node:child_process'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { signalGroup } from '#local/start/processes.ts'
import { makeWorkFolder } from '../work-folder.ts'
import type { Place } from './add-probes.ts'
import type { Project } from './choose-tests.ts'
import type { Mutant } from './list-mutants.ts'

/** What one run of Vitest is given. */
export interface RunInput<In extends Project = Project> {
  project: In
  /** In the order in which they run. */
  tests: readonly string[]
  /** Null: the sources as they are. */
  mutant: Mutant | null
  /** Places that note that they run; none where there is a change. */
  probes?: readonly Place[]
}

/** Where a process runs one time after the other; see judge-in-workerd.ts for the rest. */
export type Lasting = Exclude<Project, 'worker'>

/** Has the run of now in a process of Vitest, whose settings share nothing else with it. */
export const RUN_VARIABLE = 'MUTANT_RUN'

export function readRunInput(): RunInput {
  return JSON.parse(process.env[RUN_VARIABLE] ?? '{"project":"plain","tests":[],"mutant":null}') as RunInput
}

const APPLIED_VARIABLE = 'MUTANT_APPLIED'

/** Tells this process that a change was made to the source that is loaded now. */
export function noteApplied(isApplied: boolean): void {
  process.env[APPLIED_VARIABLE] = String(isApplied)
}

export function isApplied(): boolean {
  return process.env[APPLIED_VARIABLE] === 'true'
}

/** `broken`: the run itself failed, so nothing is known. @param by the first test file that failed */
export type RunOutcome = { kind: 'passed' } | { kind: 'failed'; by: string } | { kind: 'hung' } | { kind: 'broken' }
/** What a process of Vitest tells: each test file that passed, and in the end the outcome. */
export type RunMessage = RunOutcome | { kind: 'file'; test: string; tookMs: number }

/** For a test file that has not passed yet, and for the start of Vitest: several times what the slowest take. */
const FIRST_MS: Record<Lasting, number> = { plain: 90_000, web: 120_000 }
/** For others: so many times their longest time so far, and what a busy machine may take. */
const LONGER = 5
const SLACK_MS = 25_000

/** Runs tests in processes that stay for the next change; one that hangs is ended, since a loop ends only from outside. */
export class TestRuns {
  readonly #slackMs: number
  readonly #free: Record<Lasting, ChildProcess[]> = { plain: [], web: [] }
  readonly #longestMs = new Map<string, number>()

  constructor(slackMs = SLACK_MS) {
    this.#slackMs = slackMs
  }

  async run(input: RunInput<Lasting>): Promise<RunOutcome> {
    const free = this.#free[input.project].pop()
    const isFree = free?.connected === true
    const child = isFree ? free : startVitest(input.project)
    const outcome = await this.#follow(child, { input, isFree })
    const isSpent = outcome.kind === 'hung' || outcome.kind === 'broken'
    if (isSpent) endGroup(child)
    else this.#free[input.project].push(child)
    return outcome
  }

  close(): void {
    Object.values(this.#free).flat().forEach(endGroup)
  }

  async #follow(
    child: ChildProcess,
    { input, isFree }: { input: RunInput<Lasting>; isFree: boolean },
  ): Promise<RunOutcome> {
    const { promise, resolve } = Promise.withResolvers<RunOutcome>()
    const left = new Set(input.tests)
    let timer: NodeJS.Timeout | undefined
    let startMs = isFree ? 0 : FIRST_MS[input.project]
    const startTimer = () => {
      clearTimeout(timer)
      const limits = Array.from(left, (test) => this.#limitMs(input.project, test))
      timer = setTimeout(() => resolve({ kind: 'hung' }), Math.max(startMs, this.#slackMs, ...limits))
      startMs = 0
    }
    const receive = (message: RunMessage) => {
      if (message.kind !== 'file') return resolve(message)
      const name = `${input.project} ${message.test}`
      this.#longestMs.set(name, Math.max(message.tookMs, this.#longestMs.get(name) ?? 0))
      left.delete(message.test)
      startTimer()
    }
    const breakOff = () => resolve({ kind: 'broken' })
    child.on('message', receive).once('close', breakOff).send(input)
    startTimer()
    const outcome = await promise
    clearTimeout(timer)
    child.off('message', receive).off('close', breakOff)
    return outcome
  }

  #limitMs(project: Lasting, test: string): number {
    const longestMs = this.#longestMs.get(`${project} ${test}`)
    return longestMs === undefined ? FIRST_MS[project] : this.#slackMs + LONGER * longestMs
  }
}

const startVitest = (project: Project) => forkTests(join(import.meta.dirname, 'vitest-process.ts'), project)

/** Starts a program that runs tests, in a process group of its own, with a folder for what it leaves behind. */
export function forkTests(path: string, project: Project): ChildProcess {
  const folder = makeWorkFolder('adapt-mutant-')
  const run = { [RUN_VARIABLE]: JSON.stringify({ project, tests: [], mutant: null }) }
  const env = { ...process.env, ...run, TMPDIR: folder, TEST: 'true', VITEST: 'true', NODE_ENV: 'test' }
  const child = fork(path, { stdio: ['ignore', 'ignore', 'ignore', 'ipc'], detached: true, execArgv: [], env })
  return child.once('close', () => rmSync(folder, { recursive: true, force: true }))
}

/** Ends a program and all that it has started. */
export function endGroup({ pid }: ChildProcess): void {
  if (pid !== undefined) signalGroup(pid, 'SIGKILL')
}
