import { PROJECTS, type Project } from './choose-tests.ts'
import type { Mutant } from './list-mutants.ts'
import type { RunInput, RunOutcome } from './run-tests.ts'

/** `killed`: a test noticed the change. `unclear`: no run came to an end. */
export interface Verdict {
  mutant: Mutant
  kind: 'killed' | 'survived' | 'unclear'
  /** The test file that failed, or that the change made it run for ever. */
  by: string | null
}

type Run = (input: RunInput) => Promise<RunOutcome>

/** Judges changes one by one. What it has found out about tests serves the next change. */
export class Judge {
  readonly #run: Run
  /** Tests that pass as long as nothing is changed, so that their failure is the change's. */
  readonly #unchanged = new Map<string, Promise<boolean>>()

  constructor(run: Run) {
    this.#run = run
  }

  async judge(mutant: Mutant, chosen: Record<Project, string[]>): Promise<Verdict> {
    let isUnclear = false
    /** Tests that do not pass in Node alone run in workerd. */
    let moved: string[] = []
    for (const project of PROJECTS) {
      const own = project === 'worker' ? [...chosen.worker, ...moved] : chosen[project]
      const verdict = await this.#judgeIn(project, own, mutant)
      if (verdict.kind === 'killed') return { mutant, kind: verdict.kind, by: verdict.by }
      isUnclear ||= verdict.kind === 'unclear'
      if (project === 'plain') moved = verdict.failing
    }
    return { mutant, kind: isUnclear ? 'unclear' : 'survived', by: null }
  }

  async #judgeIn(project: Project, tests: readonly string[], mutant: Mutant) {
    const failing: string[] = []
    while (true) {
      const left = tests.filter((test) => !failing.includes(test))
      const outcome: RunOutcome =
        left.length === 0 ? { kind: 'passed' } : await this.#run({ project, tests: left, mutant })
      if (outcome.kind === 'passed') return { kind: 'survived', by: null, failing } as const
      if (outcome.kind === 'broken') return { kind: 'unclear', by: null, failing } as const
      if (outcome.kind === 'hung') {
        const kind = (await this.#passesUnchanged(project, left)) ? 'killed' : 'unclear'
        return { kind, by: 'no end', failing } as const
      }
      if (await this.#passesUnchanged(project, [outcome.by]))
        return { kind: 'killed', by: outcome.by, failing } as const
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
