import { expect, it } from 'vitest'
import { parseSource, walkTree } from './syntax-tree.ts'

it('visits each node with the one above it, and comes back after what is below', () => {
  const visited: string[] = []
  walkTree(
    parseSource('a.ts', 'call(1 + 2)'),
    (node, parent) => {
      visited.push(`${node.type} in ${parent?.type ?? 'nothing'}`)
      return node.type !== 'BinaryExpression'
    },
    (node) => visited.push(`end of ${node.type}`),
  )
  expect(visited).toEqual([
    'Program in nothing',
    'ExpressionStatement in Program',
    'CallExpression in ExpressionStatement',
    'Identifier in CallExpression',
    'end of Identifier',
    'BinaryExpression in CallExpression',
    'end of CallExpression',
    'end of ExpressionStatement',
    'end of Program',
  ])
})

it('refuses a file that does not parse, by its name', () => {
  expect(() => parseSource('worker/a.ts', 'const = 1')).toThrow('worker/a.ts does not parse')
})
