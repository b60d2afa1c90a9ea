import { describe, expect, it } from 'vitest'
import { compareSentences } from './likeness.ts'

describe('compareSentences', () => {
  it('finds the sentence of the same words, misheard or not', () => {
    const likeness = compareSentences(['Open the lid.', 'Oil the hinge.'], ['Oil the hinges.'])
    const [lid = 0, hinge = 0] = likeness.readRow(0)
    expect(hinge).toBeGreaterThan(0.5)
    expect(lid).toBeLessThan(0.2)
  })

  it('leaves out parts that many sentences have', () => {
    const sentences = Array.from({ length: 100 }, (_, index) => `the ${String.fromCodePoint(0x4e00 + index).repeat(3)}`)
    const row = compareSentences(sentences, sentences).readRow(7)
    expect(row.indexOf(Math.max(...row))).toBe(7)
    expect([...row].filter((likeness) => likeness > 0)).toHaveLength(1)
  })
})
