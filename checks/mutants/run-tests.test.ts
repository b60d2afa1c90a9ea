import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { listMutants } from './list-mutants.ts'
import { runTests } from './run-tests.ts'

const FILE = 'checks/mutants/score.ts'
const TEST = 'checks/mutants/score.test.ts'

it('runs tests with a change and without it, of which the second run knows nothing', async () => {
  const mutant = listMutants(FILE, readFileSync(FILE, 'utf8')).find(({ change }) => change.includes('1.96 →'))
  if (mutant === undefined) throw new Error('the change is not there')
  const run = { project: 'plain', tests: [TEST] } as const
  expect(await runTests({ ...run, mutant })).toEqual({ kind: 'failed', by: TEST })
  expect(await runTests({ ...run, mutant: null })).toEqual({ kind: 'passed' })
})

it('runs a test with a tag', async () => {
  const tests = ['contract/module.test.ts']
  expect(await runTests({ project: 'plain', tests, mutant: null })).toEqual({ kind: 'passed' })
})
