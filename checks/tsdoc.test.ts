import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { findBareExports, findUndocumented } from './tsdoc.ts'

describe('findBareExports', () => {
  it.each([
    ['a constant', 'export const MAX = 1'],
    ['a function', 'const A = 1\n\nexport function find() {}'],
    ['an async function', 'export async function find() {}'],
    ['a class', 'export class Fault extends Error {}'],
    ['a shape', 'export interface Row {\n  id: string\n}'],
    ['a type', 'export type Code = string'],
    ['what only a line comment explains', '// The most.\nexport const MAX = 1'],
    ['what stands apart from its comment', '/** The most. */\n\nexport const MAX = 1'],
    ['a type before the schema of its name', "export type Code = string\n/** Why. */\nexport const Code = 'a'"],
  ])('finds %s', (_what, text) => {
    expect(findBareExports(text)).toHaveLength(1)
  })

  it.each([
    ['what a comment explains', '/** The most. */\nexport const MAX = 1'],
    [
      'what a long comment explains',
      '/**\n * Finds it.\n * @returns null when there is none\n */\nexport function find() {}',
    ],
    ['the type of a schema', "/** Why. */\nexport const Code = z.enum(['a'])\nexport type Code = z.infer<typeof Code>"],
    [
      'what is passed on',
      "export { find } from './find.ts'\nexport type { Row } from './row.ts'\nexport * from './all.ts'",
    ],
    ['what is not exported', 'const MAX = 1\nfunction find() {}'],
  ])('leaves %s', (_what, text) => {
    expect(findBareExports(text)).toEqual([])
  })

  it('says where and what', () => {
    expect(findBareExports('const A = 1\n\nexport const MAX = A')).toEqual(['3: MAX'])
  })
})

it('every export of the rooms that promise it says what it is for', () => {
  expect(findUndocumented('.')).toEqual([])
})

it('refuses a folder that has no file', () => {
  expect(findUndocumented(join(import.meta.dirname, 'licences'))).toContain('worker/tasks: has no file')
})
