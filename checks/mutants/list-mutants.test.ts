import { describe, expect, it } from 'vitest'
import { applyMutant, listMutants } from './list-mutants.ts'

/** The source after each of its changes. */
const mutate = (text: string) => listMutants('a.ts', text).map((mutant) => applyMutant(text, mutant))

describe('listMutants', () => {
  it.each([
    ['a < b', ['a <= b']],
    ['a >= b', ['a > b']],
    ['a === b', ['a !== b']],
    ['a ?? b', ['a && b']],
    ['(a) * b', ['(a) / b']],
    ['i++', ['i--']],
    ['--i', ['++i']],
    ['!a', ['a']],
    ['sum += b', ['sum -= b']],
    ['a ? b : c', ['true ? b : c', 'false ? b : c']],
    ['if (a) b', ['if (true) b', 'if (false) b']],
    ['a = 5', ['a = 0', 'a = 6']],
    ['a = 0', ['a = 1']],
    ['a = true', ['a = false']],
    ['save(a)', [';']],
    ['await save(a)', [';']],
    ['void save(a)', [';']],
    ['b = list.filter(isOdd).map(f)', ['b = list.map(f)']],
  ])('changes %s', (text, changed) => expect(mutate(text)).toEqual(changed))

  it.each([
    "import { a } from './b.ts'",
    "export { a } from './b.ts'",
    'type A = 1 | 2',
    'interface A { b: true }',
    "a = 'word' + b",
    "a = 'x'",
    'a = `b > c`',
  ])('leaves %s as it is', (text) => expect(mutate(text)).toEqual([]))

  it('changes the terms of SQL', () => {
    const query = 'q = `SELECT a FROM b WHERE c >= ?1 AND d < 2 ORDER BY e DESC`'
    expect(mutate(query)).toEqual([
      query.replace('>=', '>'),
      query.replace('AND', 'OR'),
      query.replace('<', '<='),
      query.replace('DESC', 'ASC'),
    ])
  })

  it('keeps the super call of a constructor, and reads what stands in a type assertion', () => {
    expect(mutate('class A extends B { constructor() { super() } }')).toEqual([])
    expect(mutate('a = (1 as Count)')).toEqual(['a = (0 as Count)', 'a = (2 as Count)'])
  })

  it('says where a change is, and what it is', () => {
    expect(listMutants('a.ts', 'const a = 1\n\nif (a > 3) save(a)\n').slice(-1)).toMatchObject([
      { file: 'a.ts', line: 3, change: 'save(a) → ;' },
    ])
  })
})
