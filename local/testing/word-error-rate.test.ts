import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { characterErrorRate, comparableWords, wordErrorRate } from './word-error-rate.ts'

describe('comparableWords', () => {
  it('ignores case, punctuation and hyphens, and keeps apostrophes', () => {
    expect(comparableWords('Select “Speech-to-text”, then don’t click!')).toEqual([
      'select',
      'speech',
      'to',
      'text',
      'then',
      "don't",
      'click',
    ])
  })

  it('keeps the vowels of Hindi, which are signs and no letters', () => {
    expect(comparableWords('कप को भरिए।')).toEqual(['कप', 'को', 'भरिए'])
  })
})

describe('characterErrorRate', () => {
  it('counts characters, whatever stands between them', () => {
    expect(characterErrorRate('打开盖子。', '打开 盖子')).toBe(0)
    expect(characterErrorRate('打开盖子。', '打開盖子')).toBe(0.25)
  })
})

describe('wordErrorRate', () => {
  it('counts a substitution, a deletion and an insertion as one error each', () => {
    expect(wordErrorRate('open the menu now', 'open a menu now')).toBe(0.25)
    expect(wordErrorRate('open the menu now', 'open menu now')).toBe(0.25)
    expect(wordErrorRate('open the menu now', 'open the the menu now')).toBe(0.25)
  })

  it('exceeds one when more is invented than was said', () => {
    expect(wordErrorRate('yes', 'no no no')).toBe(3)
  })

  it('returns 0 or 1 for an empty reference, by whether the transcription is empty', () => {
    expect(wordErrorRate('', ' … ')).toBe(0)
    expect(wordErrorRate('', 'noise')).toBe(1)
  })

  const sentence = fc.array(fc.constantFrom('open', 'the', 'menu', 'now'), { minLength: 1, maxLength: 12 })

  it('is zero for equal words, and otherwise between the difference and the sum of the lengths', () => {
    fc.assert(
      fc.property(sentence, sentence, (said, transcribed) => {
        const errors = Math.round(wordErrorRate(said.join(' '), transcribed.join(' ')) * said.length)
        expect(wordErrorRate(said.join(' '), said.join(' '))).toBe(0)
        expect(errors).toBeGreaterThanOrEqual(Math.abs(said.length - transcribed.length))
        expect(errors).toBeLessThanOrEqual(Math.max(said.length, transcribed.length))
      }),
    )
  })
})
