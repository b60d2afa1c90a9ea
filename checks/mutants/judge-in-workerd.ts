import { join } from 'node:path'
import type { Verdict } from './judge-mutant.ts'
import type { Mutant } from './list-mutants.ts'
import { endGroup, forkTests } from './run-tests.ts'

/** A change, and the tests in workerd that judge it, the nearest first. */
export interface Change {
  mutant: Mutant
  tests: readonly string[]
}

/** What one process runs, in this order. */
export interface Batch {
  mutants: readonly Mutant[]
  pairs: readonly Pair[]
}

/** @param change index in the batch; null: the sources as they are */
interface Pair {
  test: string
  change: number | null
}

/** @param pair index in the batch */
export interface PairMessage {
  pair: number
  ok: boolean
  tookMs: number
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

/** Judges changes by tests in workerd, many in one process, since workerd takes longer to start than a test to run. */
export class WorkerdJudge {
  readonly #run: RunBatch
  readonly #passing = new Set<string>()
  readonly #failing = new Set<string>()

  constructor(run: RunBatch = runBatch) {
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

  /** @returns the changes that have a verdict: all of them, unless a test did not end */
  async #judgeBatch(changes: Change[], endMs: number, onVerdict: (verdict: Verdict) => void): Promise<Set<Change>> {
    const judged = new Set<Change>()
    const settle = (change: Change, kind: Verdict['kind'], by: string | null) => {
      if (judged.has(change)) return
      judged.add(change)
      onVerdict({ mutant: change.mutant, kind, by })
    }
    for (const change of changes)
      if (change.tests.every((test) => this.#failing.has(test))) settle(change, 'unclear', null)
    const pairs = this.#pair(changes)
    // Workerd takes seconds to start.
    if (pairs.length === 0) return judged
    let next = 0
    /** Of each change, whether a test that passes without it has run to its end. */
    const hasJudge = new Set<Change>()
    const onPair = ({ pair, ok }: PairMessage) => {
      next = pair + 1
      const { test, change: index } = pairs[pair] as Pair
      const change = index === null ? undefined : changes[index]
      if (change === undefined) return void (ok ? this.#passing : this.#failing).add(test)
      if (this.#passing.has(test)) {
        hasJudge.add(change)
        if (!ok) settle(change, 'killed', test)
      }
      if (pairs[next]?.change !== index) settle(change, hasJudge.has(change) ? 'survived' : 'unclear', null)
    }
    const ending = await this.#run({ mutants: changes.map(({ mutant }) => mutant), pairs }, onPair, endMs)
    const current = pairs[next]
    if (current === undefined || ending === 'late') return judged
    const change = current.change === null ? undefined : changes[current.change]
    if (change === undefined) this.#failing.add(current.test)
    else if (ending === 'hung' && this.#passing.has(current.test)) settle(change, 'killed', 'no end')
    else settle(change, 'unclear', null)
    return judged
  }

  /** Each test without a change first, unless that is known. */
  #pair(changes: Change[]): Pair[] {
    const tests = new Set(changes.flatMap((change) => change.tests))
    const isKnown = (test: string) => this.#passing.has(test) || this.#failing.has(test)
    const unchanged = [...tests].filter((test) => !isKnown(test)).map((test) => ({ test, change: null }))
    const changed = changes.flatMap((each, change) =>
      each.tests.filter((test) => !this.#failing.has(test)).map((test) => ({ test, change })),
    )
    return [...unchanged, ...changed]
  }
}
