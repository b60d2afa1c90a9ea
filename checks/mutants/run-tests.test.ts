import { readFileSync } from 'node:fs'
import { afterAll, expect, it } from 'vitest'
import { listMutants } from './list-mutants.ts'
import { TestRuns } from './run-tests.ts'

const runs = new TestRuns(1_000)
afterAll(() => runs.close())

function findMutant(file: string, change: string) {
  const mutant = listMutants(file, readFileSync(file, 'utf8')).find((each) => each.change.includes(change))
  if (mutant === undefined) throw new Error('the change is not there')
  return mutant
}

it('runs tests with changes and without them, of which the next run knows nothing', async () => {
  const tests = ['checks/mutants/score.test.ts', 'contract/module.test.ts']
  const run = (mutant: ReturnType<typeof findMutant> | null) => runs.run({ project: 'plain', tests, mutant })
  const failed = { kind: 'failed', by: tests[0] }
  expect(await run(findMutant('checks/mutants/score.ts', '1.96 →'))).toEqual(failed)
  expect(await run(null)).toEqual({ kind: 'passed' })
  expect(await run(findMutant('checks/mutants/score.ts', '1_000 →'))).toEqual(failed)
  expect(await run(findMutant('checks/mutants/import-graph.ts', '0 → 1'))).toEqual({ kind: 'passed' })
})

it('ends a run that takes many times as long as without the change, and starts afresh', async () => {
  const run = { project: 'plain', tests: ['checks/mutants/import-graph.test.ts'] } as const
  expect(await runs.run({ ...run, mutant: null })).toEqual({ kind: 'passed' })
  const mutant = findMutant('checks/mutants/import-graph.ts', '> → >=')
  expect(await runs.run({ ...run, mutant })).toEqual({ kind: 'hung' })
  expect(await runs.run({ ...run, mutant: null })).toEqual({ kind: 'passed' })
})
