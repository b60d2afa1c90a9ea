import { expect, it } from 'vitest'
import { findImported, findImporters, importsOf } from './import-graph.ts'

it('reads imports of files and packages, also late ones and those that are handed on, but not those of types', () => {
  const text = `
    import { a } from './a.ts'
    import type { B } from './b.ts'
    import { type C } from './c.ts'
    import { type D, d } from '#contract/d.ts'
    import 'hono'
    export * from '../e.ts'
    const late = () => import('./late.ts')`
  expect(importsOf('web/x/y.ts', text)).toEqual(['web/x/a.ts', 'contract/d.ts', 'hono', 'web/e.ts', 'web/x/late.ts'])
})

it('counts the worker of this machine as imported by what calls it', () => {
  expect(importsOf('a.ts', "import { env, exports } from 'cloudflare:workers'")).toEqual([
    'local/worker.ts',
    'cloudflare:workers',
  ])
  expect(importsOf('a.ts', "import { env } from 'cloudflare:workers'")).toEqual(['cloudflare:workers'])
})

it('finds what reaches a file, the nearest first, and what it reaches, also in a circle', () => {
  const graph = new Map([
    ['a.test.ts', ['a.ts', 'vitest']],
    ['b.test.ts', ['b.ts']],
    ['a.ts', ['c.ts']],
    ['b.ts', ['a.ts']],
    ['c.ts', ['b.ts']],
  ])
  expect([...findImporters(graph, 'a.ts')]).toEqual([
    ['a.ts', 0],
    ['a.test.ts', 1],
    ['b.ts', 1],
    ['b.test.ts', 2],
    ['c.ts', 2],
  ])
  expect([...findImported(graph, 'a.test.ts')]).toEqual(['a.test.ts', 'a.ts', 'vitest', 'c.ts', 'b.ts'])
})
