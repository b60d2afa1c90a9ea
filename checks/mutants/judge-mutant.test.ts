import { expect, it } from 'vitest'
import { Judge } from './judge-mutant.ts'
import { listMutants } from './list-mutants.ts'
import type { RunInput, RunOutcome } from './run-tests.ts'

const [MUTANT] = listMutants('worker/a.ts', 'a < b')
if (MUTANT === undefined) throw new Error('nothing to change')

/** Tests of which some fail with the change, and some always. */
function openRuns({ noticing = [], failing = [] }: { noticing?: string[]; failing?: string[] }) {
  const runs: RunInput[] = []
  const judge = new Judge(async (input): Promise<RunOutcome> => {
    runs.push(input)
    const fails = [...failing, ...(input.mutant === null ? [] : noticing)]
    const by = input.tests.find((test) => fails.includes(`${input.project} ${test}`))
    return by === undefined ? { kind: 'passed' } : { kind: 'failed', by }
  })
  return { judge, runs }
}

const chosen = { plain: ['a.test.ts', 'b.test.ts'], worker: ['c.test.ts'], web: [] }

it('takes a change for killed once a test fails that passes without it', async () => {
  const { judge, runs } = openRuns({ noticing: ['worker c.test.ts'] })
  expect(await judge.judge(MUTANT, chosen)).toEqual({ mutant: MUTANT, kind: 'killed', by: 'c.test.ts' })
  expect(runs.map(({ project, mutant }) => `${project} ${mutant === null ? 'as it is' : 'changed'}`)).toEqual([
    'plain changed',
    'worker changed',
    'worker as it is',
  ])
  await judge.judge(MUTANT, chosen)
  expect(runs).toHaveLength(5)
})

it('takes a change for survived that all tests pass with', async () => {
  expect(await openRuns({}).judge.judge(MUTANT, chosen)).toMatchObject({ kind: 'survived' })
})

it('lets no test judge that fails anyway, and runs in workerd what fails in Node alone', async () => {
  const failing = openRuns({ failing: ['plain a.test.ts'] })
  expect(await failing.judge.judge(MUTANT, chosen)).toMatchObject({ kind: 'survived' })
  expect(failing.runs.at(-1)).toMatchObject({ project: 'worker', tests: ['c.test.ts', 'a.test.ts'] })
  const noticing = openRuns({ failing: ['plain a.test.ts'], noticing: ['worker a.test.ts'] })
  expect(await noticing.judge.judge(MUTANT, chosen)).toMatchObject({ kind: 'killed', by: 'a.test.ts' })
})

it('names the tests that fail anyway, and takes a change for unclear that no other test judges', async () => {
  const all = ['plain a.test.ts', 'plain b.test.ts', 'worker a.test.ts', 'worker b.test.ts', 'worker c.test.ts']
  const { judge } = openRuns({ failing: all })
  expect(await judge.judge(MUTANT, chosen)).toMatchObject({ kind: 'unclear' })
  expect(judge.failingTests).toEqual(['a.test.ts', 'b.test.ts', 'c.test.ts'])
  const moved = openRuns({ failing: ['plain a.test.ts', 'plain d.node.test.ts'] })
  await moved.judge.judge(MUTANT, { ...chosen, plain: ['a.test.ts', 'd.node.test.ts'] })
  expect(moved.judge.failingTests).toEqual(['d.node.test.ts'])
  expect(moved.runs.at(-1)?.tests).toEqual(['c.test.ts', 'a.test.ts'])
})

it('takes a change for unclear that has no test', async () => {
  const none = { plain: [], worker: [], web: [] }
  expect(await openRuns({}).judge.judge(MUTANT, none)).toMatchObject({ kind: 'unclear' })
})

it('counts a run without an end as noticed, unless it has none without the change, and one that broke as unclear', async () => {
  const endAs = (changed: RunOutcome['kind'], asIs: RunOutcome['kind']) => {
    const run = async ({ mutant }: RunInput) => ({ kind: mutant === null ? asIs : changed }) as RunOutcome
    return new Judge(run).judge(MUTANT, chosen)
  }
  expect(await endAs('hung', 'passed')).toMatchObject({ kind: 'killed', by: 'no end' })
  expect(await endAs('hung', 'hung')).toMatchObject({ kind: 'unclear' })
  expect(await endAs('broken', 'passed')).toMatchObject({ kind: 'unclear' })
})
