import { expect, it } from 'vitest'
import { findImported, findImporters, listRun } from './import-graph.ts'

it('leaves out what is imported for its types alone', () => {
  const text = "import type { A } from './a.ts'\nimport { type B, b } from '#contract/b.ts'\nimport('./late.ts')"
  expect(listRun('web/x.ts', text)).toEqual(['contract/b.ts', 'web/late.ts'])
})

it('counts the worker of this machine as imported by what calls it', () => {
  const listOf = (names: string) => listRun('a.ts', `import { ${names} } from 'cloudflare:workers'`)
  expect(listOf('env, exports')).toEqual(['cloudflare:workers', 'local/worker.ts'])
  expect(listOf('env')).toEqual(['cloudflare:workers'])
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
