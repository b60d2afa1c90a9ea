import { expect, it } from 'vitest'
import { readImports } from './read-imports.ts'

const read = (text: string) => readImports('worker/domain/step/a.ts', text)

it('resolves relative names, those of package.json and packages', () => {
  const text = [
    "import { a } from '../b.ts'",
    "import { c } from '#contract/c.ts'",
    "import '@clerk/react/internal'",
    "import { x } from 'hono/cors'",
    "import { readFile } from 'node:fs/promises'",
    "import { m } from '#messages/pages'",
  ]
  expect(read(text.join('\n')).map(({ to }) => to)).toEqual([
    'worker/domain/b.ts',
    'contract/c.ts',
    '@clerk/react',
    'hono',
    'node',
    '#messages',
  ])
})

it.each([
  ["import type { A } from './a.ts'", true],
  ["import { type A, type B } from './a.ts'", true],
  ["export type { A } from './a.ts'", true],
  ["import { type A, b } from './a.ts'", false],
  ["import * as all from './a.ts'", false],
  ["export * from './a.ts'", false],
  ["const a = await import('./a.ts')", false],
])('knows whether %s takes types alone', (text, isTypeOnly) => {
  expect(read(text)).toEqual([expect.objectContaining({ to: 'worker/domain/step/a.ts', isTypeOnly })])
})

it('leaves out what is no code', () => {
  expect(read("import './a.css'\nimport url from './w.ts?worker&url'\nimport data from './d.json'")).toEqual([])
})
