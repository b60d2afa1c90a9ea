import { PROJECTS, type Project } from './choose-tests.ts'
import type { Mutant } from './list-mutants.ts'
import type { RunInput, RunOutcome } from './run-tests.ts'

/**
 * `killed`: a test noticed the change. `unclear`: no test that passes without it ran to its end with it, or a run broke
 * or hung that does so without it, too.
 */
export interface Verdict {
  mutant: Mutant
  kind: 'killed' | 'survived' | 'unclear'
  /** The test file that failed; `no end` where the change lets one run for ever. */
  by: string | null
}

/** These need what workerd lacks. */
const IS_NODE_TEST = /\.node\.test\.ts$/

type Run = (input: RunInput) => Promise<RunOutcome>

/** Judges changes one by one. What it has found out about tests serves the next change. */
export class Judge {
  readonly #run: Run
  /** Tests that pass as long as nothing is changed, so that their failure is the change's. */
  readonly #unchanged = new Map<string, Promise<boolean>>()

  readonly #failing = new Set<string>()

  constructor(run: Run) {
    this.#run = run
  }

  /** Test files that do not pass without a change, and therefore judge none. */
  get failingTests(): string[] {
    return [...this.#failing].toSorted()
  }

  async judge(mutant: Mutant, chosen: Record<Project, string[]>): Promise<Verdict> {
    let hasJudge = false
    let isUnclear = false
    /** Tests that do not pass in Node alone run in workerd. */
    let moved: string[] = []
    for (const project of PROJECTS) {
      const own = project === 'worker' ? [...chosen.worker, ...moved] : chosen[project]
      const { kind, by, left, failing } = await this.#judgeIn(project, own, mutant)
      if (project === 'plain') moved = failing.filter((test) => !IS_NODE_TEST.test(test))
      for (const test of failing) if (!moved.includes(test) || project === 'worker') this.#failing.add(test)
      if (kind === 'killed') return { mutant, kind, by }
      isUnclear ||= kind === 'unclear'
      hasJudge ||= left.length > 0
    }
    return { mutant, kind: isUnclear || !hasJudge ? 'unclear' : 'survived', by: null }
  }

  /** @returns with the tests that are left to judge, and those that fail without the change, too */
  async #judgeIn(project: Project, tests: readonly string[], mutant: Mutant) {
    const failing: string[] = []
    while (true) {
      const left = tests.filter((test) => !failing.includes(test))
      const outcome: RunOutcome =
        left.length === 0 ? { kind: 'passed' } : await this.#run({ project, tests: left, mutant })
      if (outcome.kind === 'passed') return { kind: 'survived', by: null, left, failing } as const
      if (outcome.kind === 'broken') return { kind: 'unclear', by: null, left, failing } as const
      if (outcome.kind === 'hung') {
        if (await this.#passesUnchanged(project, left)) return { kind: 'killed', by: 'no end', left, failing } as const
        return { kind: 'unclear', by: null, left: [], failing: [...failing, ...left] } as const
      }
      if (await this.#passesUnchanged(project, [outcome.by]))
        return { kind: 'killed', by: outcome.by, left, failing } as const
      failing.push(outcome.by)
    }
  }

  #passesUnchanged(project: Project, tests: string[]): Promise<boolean> {
    const name = [project, ...tests].join(' ')
    const passes =
      this.#unchanged.get(name) ?? this.#run({ project, tests, mutant: null }).then(({ kind }) => kind === 'passed')
    this.#unchanged.set(name, passes)
    return passes
  }
}
