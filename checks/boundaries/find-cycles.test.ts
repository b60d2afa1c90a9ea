import { expect, it } from 'vitest'
import { findCycles } from './find-cycles.ts'

const graph = (edges: Record<string, string>) =>
  new Map(Object.entries(edges).map(([from, to]) => [from, new Set(to.split(''))] as const))

it.each([
  ['a line', { a: 'b', b: 'c' }, []],
  ['a fork that joins again', { a: 'bc', b: 'd', c: 'd' }, []],
  ['a pair', { a: 'b', b: 'a' }, ['ab']],
  ['a longer circle behind a line', { x: 'a', a: 'b', b: 'c', c: 'a' }, ['abc']],
  ['two circles with a bridge', { a: 'b', b: 'ac', c: 'd', d: 'c' }, ['ab', 'cd']],
  ['circles that share a node', { a: 'b', b: 'ac', c: 'b' }, ['abc']],
  ['a node that leads to itself', { a: 'a' }, []],
])('finds the circles of %s', (_what, edges, cycles) => {
  const found = findCycles(graph(edges)).map((cycle) => cycle.toSorted().join(''))
  expect(found.toSorted()).toEqual(cycles)
})
