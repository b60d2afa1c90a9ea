import { runInThisContext } from 'node:vm'
import { expect, it } from 'vitest'
import { addProbes, findOuterPlaces } from './add-probes.ts'
import { listMutants } from './list-mutants.ts'

const FILE = 'a.ts'

/** Which changes run with a call, by what they replace. */
function reach(text: string, call: string): string[] {
  const places = listMutants(FILE, text)
  const reached = new Set<number>()
  const scope = globalThis as { reachedChanges?: Set<number> }
  scope.reachedChanges = reached
  runInThisContext(`{ ${addProbes(FILE, text, places)}; ${call} }`)
  delete scope.reachedChanges
  return Array.from(reached, (number) => places[number]?.change ?? '').toSorted()
}

it.each([
  ['a function', 'function f(a) { return a < 1 } function g(a) { return a > 2 }', 'f(1)', '<'],
  ['a block of a condition', 'function f(a) { if (a) { return a % 3 } return null }', 'f(4)', '%'],
  ['what an arrow function returns', 'const f = (a) => ({ b: a * a }), g = (a) => a && a', 'f(1)', '*'],
  ['an arrow function in another', 'const f = (a) => (b) => a / b', 'f(1)(2)', '/'],
])('notes what runs in %s', (_, text, call, operator) => {
  const reached = reach(text, call)
  expect(reached.some((change) => change.includes(operator))).toBe(true)
})

it('notes nothing of what does not run', () => {
  const changes = reach('function f(a) { if (a) { return a % b } } const g = () => c * d', 'f(0)')
  expect(changes).toEqual([expect.stringContaining('a → false'), expect.stringContaining('a → true')])
})

it('gives the same value as without', async () => {
  const text = 'const f = async (a) => ({ sum: a + 1 })'
  await expect(runInThisContext(`{ ${addProbes(FILE, text, listMutants(FILE, text))}; f(2) }`)).resolves.toEqual({
    sum: 3,
  })
})

it('knows what runs where a source is loaded', () => {
  const places = listMutants(FILE, 'const LIMIT = 5; function f() { return 7 }')
  const outer = findOuterPlaces(FILE, 'const LIMIT = 5; function f() { return 7 }', places)
  expect(outer.map((number) => places[number]?.change)).toEqual(places.slice(0, 2).map(({ change }) => change))
})
