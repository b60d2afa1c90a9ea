import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { findOuterPlaces } from './add-probes.ts'
import type { Verdict } from './judge-mutant.ts'
import type { Mutant } from './list-mutants.ts'
import { endGroup, forkTests } from './run-tests.ts'

/** A change, and the tests in workerd that judge it, the nearest first. */
export interface Change {
  mutant: Mutant
  tests: readonly string[]
}

/** What one process runs, in this order: tests of the sources as they are, or tests of changes. */
export interface Batch {
  mutants: readonly Mutant[]
  pairs: readonly Pair[]
}

interface Pair {
  test: string
  /** Index in the batch; null: the sources as they are, which note where the changes would be. */
  change: number | null
  /** Index of the last test in the file that reaches the change. */
  until: number
}

export interface PairMessage {
  /** Index in the batch. */
  pair: number
  ok: boolean
  tookMs: number
  /** Of each test in the file: the changes of the batch that it reaches, by their index; none where it has a change. */
  reached: number[][]
  /** Whether the change was made to a source that the test has loaded; otherwise it judges nothing. */
  isApplied: boolean
}

/** `hung` and `broken` tell of the pair after the last that ended; `late`: the time of all is over. */
export type Ending = 'done' | 'hung' | 'broken' | 'late'
type RunBatch = (batch: Batch, onPair: (message: PairMessage) => void, endMs: number) => Promise<Ending>

/** For the start, and for a test after another: several times what the slowest take on a busy machine. */
const START_MS = 180_000
const PAIR_MS = 90_000

/** Runs a batch in a process of its own, which is ended when a test in it does not end. */
export async function runBatch(batch: Batch, onPair: (message: PairMessage) => void, endMs: number): Promise<Ending> {
  const child = forkTests(join(import.meta.dirname, 'workerd-process.ts'), 'worker')
  const { promise, resolve } = Promise.withResolvers<Ending>()
  const limit = (ms: number) => setTimeout(() => resolve('hung'), ms)
  let timer = limit(START_MS)
  let ended = 0
  child.on('message', (message: PairMessage) => {
    clearTimeout(timer)
    timer = limit(PAIR_MS)
    ended++
    onPair(message)
    if (ended === batch.pairs.length) resolve('done')
  })
  child.once('close', () => resolve('broken'))
  const late = setTimeout(() => resolve('late'), Math.max(0, endMs - performance.now()))
  child.send(batch)
  const ending = await promise
  clearTimeout(timer)
  clearTimeout(late)
  endGroup(child)
  return ending
}

/** A test file that passes without a change. */
interface Passing {
  tookMs: number
  /** Of each change that it reaches: the index of the last test that does. */
  last: ReadonlyMap<Mutant, number>
}

/** After so many milliseconds of tests that did not notice a change, no further file judges it. */
const CHANGE_MS = 30_000

/**
 * Judges changes by tests in workerd, many in one process, since workerd takes longer to start than a test to run. Tests
 * that never run the place of a change do not judge it.
 */
export class WorkerdJudge {
  readonly #sample: readonly Mutant[]
  readonly #run: RunBatch
  /** Those that run where their source is loaded: each test reaches them. */
  readonly #outer: ReadonlySet<Mutant>
  readonly #passing = new Map<string, Passing>()
  readonly #failing = new Set<string>()

  /** @param sample all changes that will be judged */
  constructor(sample: readonly Mutant[], outer: ReadonlySet<Mutant> = listOuter(sample), run: RunBatch = runBatch) {
    this.#sample = sample
    this.#outer = outer
    this.#run = run
  }

  /** Test files that do not pass without a change, and therefore judge none. */
  get failingTests(): string[] {
    return [...this.#failing].toSorted()
  }

  /** @param endMs of `performance.now()`, after which no more changes are judged */
  async judge(changes: readonly Change[], endMs: number, onVerdict: (verdict: Verdict) => void): Promise<void> {
    let left = [...changes]
    while (left.length > 0 && performance.now() < endMs) {
      const judged = await this.#judgeBatch(left, endMs, onVerdict)
      left = left.filter((change) => !judged.has(change))
    }
  }

  /**
   * Runs the tests that are not known yet without a change, or else all that are left with their changes.
   * @returns the changes that have a verdict; the others need one more run
   */
  async #judgeBatch(changes: Change[], endMs: number, onVerdict: (verdict: Verdict) => void): Promise<Set<Change>> {
    const judged = new Set<Change>()
    const settle = (change: Change, kind: Verdict['kind'], by: string | null) => {
      if (judged.has(change)) return
      judged.add(change)
      onVerdict({ mutant: change.mutant, kind, by })
    }
    const unknown = this.listUnknown(changes)
    if (unknown.length > 0) {
      await this.learn(unknown, endMs)
      return judged
    }
    const isPassing = (test: string) => this.#passing.has(test)
    const pairs = changes.flatMap((change, index) => this.#pairWith(change, index))
    const paired = new Set(pairs.map(({ change }) => change))
    for (const [index, change] of changes.entries()) {
      if (!paired.has(index)) settle(change, change.tests.some(isPassing) ? 'survived' : 'unclear', null)
    }
    // Workerd takes seconds to start.
    if (pairs.length === 0) return judged
    let next = 0
    /** Changes that a test has loaded. */
    const loaded = new Set<Change>()
    const onPair = ({ pair, ok, isApplied }: PairMessage) => {
      next = pair + 1
      const { test, change: index } = pairs[pair] as Pair
      const change = changes[index as number] as Change
      if (isApplied) loaded.add(change)
      if (!ok && isApplied) settle(change, 'killed', test)
      if (pairs[next]?.change !== index) settle(change, loaded.has(change) ? 'survived' : 'unclear', null)
    }
    const ending = await this.#run({ mutants: changes.map(({ mutant }) => mutant), pairs }, onPair, endMs)
    const current = pairs[next]
    if (current === undefined || ending === 'late') return judged
    const change = changes[current.change as number] as Change
    if (ending === 'hung') settle(change, 'killed', 'no end')
    else settle(change, 'unclear', null)
    return judged
  }

  /** Finds out whether test files pass without a change, and what they reach. */
  async learn(tests: readonly string[], endMs: number): Promise<void> {
    const pairs = tests.map((test) => ({ test, change: null, until: 0 }))
    let next = 0
    const onPair = ({ pair, ok, tookMs, reached }: PairMessage) => {
      next = pair + 1
      const { test } = pairs[pair] as Pair
      if (!ok) return void this.#failing.add(test)
      const last = new Map<Mutant, number>()
      for (const [index, numbers] of reached.entries())
        for (const number of numbers) last.set(this.#sample[number] as Mutant, index)
      this.#passing.set(test, { tookMs, last })
    }
    const ending = await this.#run({ mutants: this.#sample, pairs }, onPair, endMs)
    const current = pairs[next]
    if (current !== undefined && ending !== 'late') this.#failing.add(current.test)
  }

  /** @returns the test files that judge changes and of which nothing is known yet */
  listUnknown(changes: readonly Change[]): string[] {
    const tests = new Set(changes.flatMap((change) => change.tests))
    return [...tests].filter((test) => !this.#passing.has(test) && !this.#failing.has(test))
  }

  #pairWith({ mutant, tests }: Change, change: number): Pair[] {
    let beforeMs = 0
    return tests.flatMap((test) => {
      const passing = this.#passing.get(test)
      if (passing === undefined || beforeMs > CHANGE_MS) return []
      const until = this.#outer.has(mutant) ? Number.MAX_SAFE_INTEGER : passing.last.get(mutant)
      if (until === undefined) return []
      beforeMs += passing.tookMs
      return [{ test, change, until }]
    })
  }
}

function listOuter(sample: readonly Mutant[]): ReadonlySet<Mutant> {
  const files = new Set(sample.map(({ file }) => file))
  const numbers = [...files].flatMap((file) => findOuterPlaces(file, readFileSync(file, 'utf8'), sample))
  return new Set(numbers.map((number) => sample[number] as Mutant))
}
