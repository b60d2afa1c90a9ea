import { expect, it } from 'vitest'
import { Judge } from './judge-mutant.ts'
import { listMutants } from './list-mutants.ts'
import type { Lasting, RunInput, RunOutcome } from './run-tests.ts'

const [MUTANT] = listMutants('worker/a.ts', 'a < b')
if (MUTANT === undefined) throw new Error('nothing to change')

/** Tests of which some fail with the change, and some always. */
function openRuns({ noticing = [], failing = [] }: { noticing?: string[]; failing?: string[] }) {
  const runs: RunInput<Lasting>[] = []
  const judge = new Judge(async (input): Promise<RunOutcome> => {
    runs.push(input)
    const fails = [...failing, ...(input.mutant === null ? [] : noticing)]
    const by = input.tests.find((test) => fails.includes(`${input.project} ${test}`))
    return by === undefined ? { kind: 'passed' } : { kind: 'failed', by }
  })
  return { judge, runs }
}

const chosen = { plain: ['a.test.ts', 'b.test.ts'], worker: ['c.test.ts'], web: ['d.test.tsx'] }

it('takes a change for killed once a test fails that passes without it', async () => {
  const { judge, runs } = openRuns({ noticing: ['web d.test.tsx'] })
  const killed = { mutant: MUTANT, kind: 'killed', by: 'd.test.tsx', inWorkerd: [] }
  expect(await judge.judge(MUTANT, chosen)).toEqual(killed)
  expect(runs.map(({ project, mutant }) => `${project} ${mutant === null ? 'as it is' : 'changed'}`)).toEqual([
    'plain changed',
    'web changed',
    'web as it is',
  ])
  await judge.judge(MUTANT, chosen)
  expect(runs).toHaveLength(5)
})

it('leaves a change that all tests pass with to those in workerd', async () => {
  expect(await openRuns({}).judge.judge(MUTANT, chosen)).toMatchObject({ kind: 'survived', inWorkerd: ['c.test.ts'] })
})

it('lets no test judge that fails anyway, and leaves to workerd what fails in Node alone', async () => {
  const failing = openRuns({ failing: ['plain a.test.ts'] })
  const left = { kind: 'survived', inWorkerd: ['c.test.ts', 'a.test.ts'] }
  expect(await failing.judge.judge(MUTANT, chosen)).toMatchObject(left)
})

it('names the tests that fail anyway, and takes a change for unclear that no other test judges', async () => {
  const all = ['plain a.test.ts', 'plain d.node.test.ts', 'web d.test.tsx']
  const { judge } = openRuns({ failing: all })
  const unclear = { kind: 'unclear', inWorkerd: ['c.test.ts', 'a.test.ts'] }
  expect(await judge.judge(MUTANT, { ...chosen, plain: ['a.test.ts', 'd.node.test.ts'] })).toMatchObject(unclear)
  expect(judge.failingTests).toEqual(['d.node.test.ts', 'd.test.tsx'])
})

it('takes a change for unclear that has no test', async () => {
  const none = { plain: [], worker: [], web: [] }
  expect(await openRuns({}).judge.judge(MUTANT, none)).toMatchObject({ kind: 'unclear', inWorkerd: [] })
})

it('counts a run without an end as noticed, unless it has none without the change, and one that broke as unclear', async () => {
  const endAs = (changed: RunOutcome['kind'], asIs: RunOutcome['kind']) => {
    const run = async ({ mutant }: RunInput<Lasting>) => ({ kind: mutant === null ? asIs : changed }) as RunOutcome
    return new Judge(run).judge(MUTANT, chosen)
  }
  expect(await endAs('hung', 'passed')).toMatchObject({ kind: 'killed', by: 'no end' })
  expect(await endAs('hung', 'hung')).toMatchObject({ kind: 'unclear' })
  expect(await endAs('broken', 'passed')).toMatchObject({ kind: 'unclear' })
})
