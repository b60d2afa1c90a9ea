import type { Project } from './choose-tests.ts'
import type { Mutant } from './list-mutants.ts'
import type { Lasting, RunInput, RunOutcome } from './run-tests.ts'

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

const LASTING: readonly Lasting[] = ['plain', 'web']

type Run = (input: RunInput<Lasting>) => Promise<RunOutcome>

/** Judges changes one by one, without workerd. What it has found out about tests serves the next change. */
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

  /** @returns with the tests that are to judge it in workerd, none of which has to where it is killed */
  async judge(mutant: Mutant, chosen: Record<Project, string[]>): Promise<Verdict & { inWorkerd: string[] }> {
    let hasJudge = false
    /** Tests that do not pass in Node alone run in workerd. */
    let moved: string[] = []
    for (const project of LASTING) {
      const { kind, by, left, failing } = await this.#judgeIn(project, chosen[project], mutant)
      if (project === 'plain') moved = failing.filter((test) => !IS_NODE_TEST.test(test))
      for (const test of failing) if (!moved.includes(test)) this.#failing.add(test)
      if (kind === 'killed') return { mutant, kind, by, inWorkerd: [] }
      hasJudge ||= kind === 'survived' && left.length > 0
    }
    return { mutant, kind: hasJudge ? 'survived' : 'unclear', by: null, inWorkerd: [...chosen.worker, ...moved] }
  }

  /** @returns with the tests that are left to judge, and those that fail without the change, too */
  async #judgeIn(project: Lasting, tests: readonly string[], mutant: Mutant) {
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

  #passesUnchanged(project: Lasting, tests: string[]): Promise<boolean> {
    const name = [project, ...tests].join(' ')
    const passes =
      this.#unchanged.get(name) ?? this.#run({ project, tests, mutant: null }).then(({ kind }) => kind === 'passed')
    this.#unchanged.set(name, passes)
    return passes
  }
}
