import { describe, expect, test } from 'vitest'
import { makeStep } from '#contract/testing/examples.ts'
import { findDifferences } from './conflict-dialog.tsx'

const [A, B, C] = [makeStep('a', 0), makeStep('b', 20), makeStep('c', 40)]

describe('findDifferences', () => {
  test('finds none between a list and itself', () => {
    expect(findDifferences({ mine: [A, B], theirs: [A, B] })).toEqual([])
  })

  test('puts the two texts of a step beside each other, and leaves out what is the same', () => {
    const mine = { ...B, title: 'Mine' }
    const theirs = { ...B, title: 'Theirs' }
    expect(findDifferences({ mine: [A, mine], theirs: [A, theirs] })).toEqual([
      { mine: { step: mine, number: 2 }, theirs: { step: theirs, number: 2 } },
    ])
  })

  test('names what only one of the two has, without the steps that only moved up for it', () => {
    expect(findDifferences({ mine: [B, C], theirs: [A, B] })).toEqual([
      { mine: { step: C, number: 2 }, theirs: null },
      { mine: null, theirs: { step: A, number: 1 } },
    ])
  })

  test('names the steps whose places were exchanged', () => {
    const rows = findDifferences({ mine: [B, A, C], theirs: [A, B, C] })
    expect(rows.map(({ mine, theirs }) => [mine?.step.id, mine?.number, theirs?.number])).toEqual([
      ['b', 1, 2],
      ['a', 2, 1],
    ])
  })
})
