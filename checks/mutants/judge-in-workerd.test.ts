import { expect, it } from 'vitest'
import { type Batch, type Ending, type PairMessage, WorkerdJudge } from './judge-in-workerd.ts'
import type { Verdict } from './judge-mutant.ts'
import { listMutants } from './list-mutants.ts'

const MUTANTS = listMutants('worker/a.ts', 'a < b; c < d; e < f')
const [FIRST, SECOND, THIRD] = MUTANTS
if (FIRST === undefined || SECOND === undefined || THIRD === undefined) throw new Error('nothing to change')
const TESTS = ['a.test.ts', 'b.test.ts']

interface World {
  /** Pairs such as `1 a.test.ts`, or `null a.test.ts` without a change. */
  fails?: string[]
  hangs?: string[]
  /** What each test of a file reaches; else all files have one test, which reaches all changes. */
  reached?: Record<string, number[][]>
  /** Else a millisecond. */
  tookMs?: Record<string, number>
  /** Pairs in which the change is not made. */
  unloaded?: string[]
  /** The numbers of the changes that run where their source is loaded. */
  outer?: number[]
}

function openJudge({ fails = [], hangs = [], reached = {}, tookMs = {}, outer = [], unloaded = [] }: World) {
  const batches: string[][] = []
  const untils: number[] = []
  const run = async ({ pairs, mutants }: Batch, onPair: (message: PairMessage) => void): Promise<Ending> => {
    const nameOf = (change: number | null) => (change === null ? 'null' : MUTANTS.indexOf(mutants[change] as never))
    const names = pairs.map(({ test, change }) => `${nameOf(change)} ${test}`)
    batches.push(names)
    untils.push(...pairs.filter(({ change }) => change !== null).map(({ until }) => until))
    for (const [pair, name] of names.entries()) {
      if (hangs.includes(name)) return 'hung'
      const { test = '' } = pairs[pair] ?? {}
      onPair({
        pair,
        ok: !fails.includes(name),
        tookMs: tookMs[test] ?? 1,
        reached: reached[test] ?? [[0, 1, 2]],
        isApplied: !unloaded.includes(name),
      })
    }
    return 'done'
  }
  const judge = new WorkerdJudge(MUTANTS, new Set(outer.map((number) => MUTANTS[number] as never)), run)
  return { judge, batches, untils }
}

async function judgeAll(judge: WorkerdJudge, tests = TESTS) {
  const verdicts: Verdict[] = []
  const changes = [FIRST, SECOND, THIRD].map((mutant) => ({ mutant, tests }) as never)
  await judge.judge(changes, Number.POSITIVE_INFINITY, (verdict) => verdicts.push(verdict))
  return verdicts.map(({ mutant, kind, by }) => `${MUTANTS.indexOf(mutant)} ${kind} ${by}`)
}

it('judges all changes in one more run, by tests that pass without a change', async () => {
  const { judge, batches } = openJudge({ fails: ['null b.test.ts', '0 b.test.ts', '1 a.test.ts', '2 b.test.ts'] })
  expect(await judgeAll(judge)).toEqual(['0 survived null', '1 killed a.test.ts', '2 survived null'])
  expect(judge.failingTests).toEqual(['b.test.ts'])
  expect(batches).toEqual([
    ['null a.test.ts', 'null b.test.ts'],
    ['0 a.test.ts', '1 a.test.ts', '2 a.test.ts'],
  ])
  await judgeAll(judge)
  expect(batches).toHaveLength(3)
})

it('judges a change by the tests that reach it, until the last that does', async () => {
  const reached = { 'a.test.ts': [[0], [2, 0], []], 'b.test.ts': [[2]] }
  const { judge, batches, untils } = openJudge({ reached, fails: ['2 b.test.ts'] })
  expect(await judgeAll(judge)).toEqual(['1 survived null', '0 survived null', '2 killed b.test.ts'])
  expect(batches[1]).toEqual(['0 a.test.ts', '2 a.test.ts', '2 b.test.ts'])
  expect(untils).toEqual([1, 1, 0])
})

it('takes a change for unclear that no test has loaded, whether it passes or fails', async () => {
  const { judge } = openJudge({
    unloaded: ['0 a.test.ts', '0 b.test.ts', '1 a.test.ts', '1 b.test.ts', '2 a.test.ts'],
    fails: ['1 a.test.ts', '2 b.test.ts'],
  })
  expect(await judgeAll(judge)).toEqual(['0 unclear null', '1 unclear null', '2 killed b.test.ts'])
})

it('judges a change by no further file after half a minute of tests', async () => {
  const { judge, batches } = openJudge({ tookMs: { 'a.test.ts': 30_001 } })
  await judgeAll(judge)
  expect(batches[1]).toEqual(['0 a.test.ts', '1 a.test.ts', '2 a.test.ts'])
})

it('judges what runs where a source is loaded by all tests', async () => {
  const { judge, batches } = openJudge({ reached: { 'a.test.ts': [[]], 'b.test.ts': [[]] }, outer: [1] })
  await judgeAll(judge)
  expect(batches[1]).toEqual(['1 a.test.ts', '1 b.test.ts'])
})

it('goes on after a change that lets a test run for ever', async () => {
  const { judge, batches } = openJudge({ hangs: ['1 a.test.ts'] })
  expect(await judgeAll(judge)).toEqual(['0 survived null', '1 killed no end', '2 survived null'])
  expect(batches[2]).toEqual(['2 a.test.ts', '2 b.test.ts'])
})

it('takes changes for unclear whose tests never end without them, or are none', async () => {
  const { judge } = openJudge({ hangs: TESTS.map((test) => `null ${test}`) })
  expect(await judgeAll(judge)).toEqual(['0 unclear null', '1 unclear null', '2 unclear null'])
  const none = openJudge({})
  expect(await judgeAll(none.judge, [])).toEqual(['0 unclear null', '1 unclear null', '2 unclear null'])
  expect(none.batches).toEqual([])
})

it('begins no run after its time', async () => {
  const { judge, batches } = openJudge({})
  await judge.judge([{ mutant: FIRST, tests: TESTS }], 0, () => expect.unreachable())
  expect(batches).toEqual([])
})
