import { describe, expect, it } from 'vitest'
import { boundSentences } from './bound-sentences.ts'

const makeSentences = (count: number, text: string) =>
  Array.from({ length: count }, (_, index) => ({ startMs: index * 1_000, endMs: index * 1_000 + 900, text }))

describe('boundSentences', () => {
  it('leaves some sentences as they are', () => {
    const sentences = makeSentences(3, 'Open the lid.')
    expect(boundSentences(sentences)).toEqual(sentences.map((each) => ({ ...each, compared: each.text })))
    expect(boundSentences([])).toEqual([])
  })

  it.each([
    { kind: 'a thousand without an end', count: 1_000, length: 2_000 },
    { kind: 'very many', count: 20_000, length: 100 },
    { kind: 'one', count: 1, length: 2_000_000 },
  ])('bounds what is compared of captions of 2 MB: $kind', ({ count, length }) => {
    const bound = boundSentences(makeSentences(count, 'word '.repeat(length / 5)))
    expect(bound.length).toBeLessThanOrEqual(1_000)
    expect(bound.reduce((sum, { compared }) => sum + compared.length, 0)).toBeLessThanOrEqual(300_000)
    expect(Math.min(...bound.map(({ compared }) => compared.length))).toBeGreaterThan(100)
    expect(bound.at(-1)?.endMs).toBe((count - 1) * 1_000 + 900)
  })
})
