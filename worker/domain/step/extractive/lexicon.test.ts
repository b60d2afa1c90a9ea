import { describe, expect, it } from 'vitest'
import { divideWords, findLexicon, glossWords, joinUnspaced } from './lexicon.ts'

const gloss = (language: string, text: string) => {
  const lexicon = findLexicon(language, '')
  return lexicon === null ? [] : glossWords(text.split(' '), lexicon)
}

describe('findLexicon', () => {
  it.each([
    ['en', 'Then open the cover on the front.'],
    ['es', 'Luego abre la tapa que está en la parte de delante.'],
    ['it', 'Poi apri il coperchio che è sulla parte davanti.'],
    ['de', 'Dann öffnen Sie den Deckel auf der Vorderseite.'],
    ['zh', '然后打开前面的盖子。'],
  ])('recognises %s by its words', (language, text) => {
    expect(findLexicon(null, text)?.language ?? 'en').toBe(language)
  })

  it('knows no word of a language without a list', () => {
    expect(gloss('nl', 'open de deur')).toEqual(['open', 'de', 'deur'])
  })
})

describe('glossWords', () => {
  it('gives one word for each, of phrases too', () => {
    expect(gloss('de', 'zum schluss schließen sie den deckel')).toEqual([
      'finally',
      'first',
      'open',
      'the',
      'the',
      'deckel',
    ])
  })

  it('reads no phrase beyond the last word', () => {
    expect(gloss('es', 'abre')).toEqual(['open'])
  })

  it('knows instructions of no list by their endings', () => {
    expect(gloss('fr', 'redimensionnez la photo')).toEqual(['open', 'the', 'photo'])
    expect(gloss('de', 'ziehst du den stecker')).toEqual(['open', 'the', 'the', 'stecker'])
  })
})

it('divides a text without blanks, and joins it again', () => {
  const words = divideWords('打开盖子，取出滤网。')
  expect(words.length).toBeGreaterThan(2)
  expect(joinUnspaced(words.join(' '))).toBe('打开盖子，取出滤网。')
  expect(joinUnspaced('Open the cover')).toBe('Open the cover')
})
