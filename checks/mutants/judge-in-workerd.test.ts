import { expect, it } from 'vitest'
import { type Batch, type Ending, WorkerdJudge } from './judge-in-workerd.ts'
import type { Verdict } from './judge-mutant.ts'
import { listMutants } from './list-mutants.ts'

const MUTANTS = listMutants('worker/a.ts', 'a < b; c < d; e < f')
const [FIRST, SECOND, THIRD] = MUTANTS
if (FIRST === undefined || SECOND === undefined || THIRD === undefined) throw new Error('nothing to change')
const TESTS = ['a.test.ts', 'b.test.ts']

/** @param fails pairs such as `1 a.test.ts`, or `null a.test.ts` without a change @param hangs the same */
function openJudge({ fails = [], hangs = [] }: { fails?: string[]; hangs?: string[] }) {
  const batches: string[][] = []
  const judge = new WorkerdJudge(async ({ pairs, mutants }: Batch, onPair): Promise<Ending> => {
    const nameOf = (change: number | null) => (change === null ? 'null' : MUTANTS.indexOf(mutants[change] as never))
    const names = pairs.map(({ test, change }) => `${nameOf(change)} ${test}`)
    batches.push(names)
    for (const [pair, name] of names.entries()) {
      if (hangs.includes(name)) return 'hung'
      onPair({ pair, ok: !fails.includes(name), tookMs: 1 })
    }
    return 'done'
  })
  return { judge, batches }
}

async function judgeAll(judge: WorkerdJudge, tests = TESTS) {
  const verdicts: Verdict[] = []
  const changes = [FIRST, SECOND, THIRD].map((mutant) => ({ mutant, tests }) as never)
  await judge.judge(changes, Number.POSITIVE_INFINITY, (verdict) => verdicts.push(verdict))
  return verdicts.map(({ mutant, kind, by }) => `${MUTANTS.indexOf(mutant)} ${kind} ${by}`)
}

it('judges all changes in one run, by tests that pass without a change', async () => {
  const { judge, batches } = openJudge({ fails: ['null b.test.ts', '0 b.test.ts', '1 a.test.ts', '2 b.test.ts'] })
  expect(await judgeAll(judge)).toEqual(['0 survived null', '1 killed a.test.ts', '2 survived null'])
  expect(judge.failingTests).toEqual(['b.test.ts'])
  expect(batches).toHaveLength(1)
  await judgeAll(judge)
  expect(batches[1]).toEqual(['0 a.test.ts', '1 a.test.ts', '2 a.test.ts'])
})

it('goes on after a change that lets a test run for ever', async () => {
  const { judge, batches } = openJudge({ hangs: ['1 a.test.ts'] })
  expect(await judgeAll(judge)).toEqual(['0 survived null', '1 killed no end', '2 survived null'])
  expect(batches[1]).toEqual(['2 a.test.ts', '2 b.test.ts'])
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
