import { expect, it } from 'vitest'
import { chooseTests } from './choose-tests.ts'

const GRAPH = new Map([
  ['worker/a.ts', []],
  ['worker/b.ts', ['worker/a.ts']],
  ['worker/far.test.ts', ['worker/b.ts']],
  ['worker/x/near.test.ts', ['worker/a.ts']],
  ['worker/a.test.ts', ['worker/b.ts']],
  ['worker/stored.test.ts', ['worker/a.ts', 'worker/testing/storage.ts']],
  ['worker/testing/storage.ts', ['cloudflare:workers']],
  ['worker/served.node.test.ts', ['worker/a.ts']],
  ['worker/other.test.ts', ['hono']],
  ['web/page.test.tsx', ['worker/a.ts']],
  ['bench/bench.test.ts', ['worker/a.ts']],
])

it('chooses the tests that reach a file, its own first, then by distance, apart by where they run', () => {
  expect(chooseTests(GRAPH, 'worker/a.ts', 10)).toEqual({
    plain: ['worker/a.test.ts', 'worker/served.node.test.ts', 'worker/x/near.test.ts', 'worker/far.test.ts'],
    worker: ['worker/stored.test.ts'],
    web: ['web/page.test.tsx'],
  })
})

it('chooses no more than is asked for, and three times as many where they take no time to start', () => {
  const { plain, worker } = chooseTests(GRAPH, 'worker/a.ts', 1)
  expect([plain.length, worker.length]).toEqual([3, 1])
  expect(chooseTests(GRAPH, 'worker/a.ts', 0)).toEqual({ plain: [], web: [], worker: [] })
})
