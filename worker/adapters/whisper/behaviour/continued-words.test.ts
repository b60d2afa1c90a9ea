// Behaviour: words that begin with blanks or continue the word before them, in all shapes of an answer.
import { describe, expect, it } from 'vitest'
import { normaliseWhisper } from '../normalise-whisper.ts'

const CHUNK_MS = 30_000

interface Word {
  word: string
  start: number
  end: number
  probability: number
}

/** Words of half a second each, the later ones less probable. */
function wordsOf(texts: string[], fromS = 0): Word[] {
  return texts.map((word, at) => ({
    word,
    start: fromS + at / 2,
    end: fromS + at / 2 + 0.5,
    probability: 1 - at / 10,
  }))
}

/** Segments whose words are inside of them, and the same with the words next to the segments. */
function answersOf(segments: string[][]) {
  const filled = segments.map((texts, at) => {
    const words = wordsOf(texts, at * 10)
    return { start: at * 10, end: at * 10 + 9, text: texts.join(''), words }
  })
  const text = filled.map((segment) => segment.text).join('')
  const bare = filled.map(({ words: _words, ...segment }) => segment)
  return {
    inside: { text, segments: filled },
    beside: { text, segments: bare, words: filled.flatMap(({ words }) => words) },
  }
}

function textsOf(segments: string[][]): string[] {
  const [inside, beside] = Object.values(answersOf(segments)).map((answer) =>
    normaliseWhisper(answer, CHUNK_MS).words.map(({ text }) => text),
  )
  expect(inside).toEqual(beside)
  return inside ?? []
}

describe('words that begin with blanks', () => {
  it.each([
    [[' Press', ' it'], true],
    [['Press', 'it'], false],
    [[], undefined],
  ])('words that begin with blanks are reported: %j', (texts, hasBlanks) => {
    const { inside, beside } = answersOf([texts])
    for (const answer of [inside, beside]) expect(normaliseWhisper(answer, CHUNK_MS).hasBlanks).toBe(hasBlanks)
  })

  it.each([
    [[' speech', '-to', '-text'], ['speech-to-text']],
    [
      [' a', ' well', '-known', ' name'],
      ['a', 'well-known', 'name'],
    ],
    [
      [' i', '.e.', ' States', '.To', ' go'],
      ['i.e.', 'States.To', 'go'],
    ],
    [
      [' $', '100', ' is', ' 50', '%'],
      ['$100', 'is', '50%'],
    ],
  ])('joins what continues a word: %j', (texts, words) => {
    expect(textsOf([texts])).toEqual(words)
  })

  it('gives a joined word the times of all of it, and the mean probability of its letters', () => {
    const { inside } = answersOf([[' ab', '-cd', ' go']])
    expect(normaliseWhisper(inside, CHUNK_MS).words.slice(0, 2)).toEqual([
      { text: 'ab-cd', startMs: 0, endMs: 1_000, confidence: (2 * 1 + 3 * 0.9) / 5 },
      { text: 'go', startMs: 1_000, endMs: 1_500, confidence: 0.8 },
    ])
  })

  it('begins a word with each segment', () => {
    expect(
      textsOf([
        [' Open', ' it.'],
        ['Then', ' save.'],
      ]),
    ).toEqual(['Open', 'it.', 'Then', 'save.'])
  })

  it.each([['日本'], ['ไทย'], ['ລາວ'], ['ខ្មែរ'], ['မြန်မာ'], ['ひら'], ['カナ']])(
    'never joins characters of a script that has no blanks: %s',
    (text) => {
      const [first, second] = [text.slice(0, 1), text.slice(1)]
      expect(textsOf([[' Linux', ` ${first}`, second]])).toEqual(['Linux', first, second])
    },
  )

  it.each([
    [
      ['点', '击', 'Sett', 'ings', '按', '钮'],
      ['点', '击', 'Settings', '按', '钮'],
    ],
    [
      ['等', '2', '.5', '分', '钟，', '80', '%。', '灯'],
      ['等', '2.5', '分', '钟，', '80%。', '灯'],
    ],
  ])('joins words and numbers of others in a script that has no blanks: %j', (texts, words) => {
    expect(textsOf([texts])).toEqual(words)
  })

  it('leaves words of others apart that have a blank in the text', () => {
    const words = wordsOf(['打开', 'File', 'Menu'])
    const answer = { text: '', segments: [{ start: 0, end: 9, text: '打开File Menu', words }] }
    expect(normaliseWhisper(answer, CHUNK_MS).words.map(({ text }) => text)).toEqual(['打开', 'File', 'Menu'])
  })

  it('takes each word as one where no word of the segment begins with a blank', () => {
    expect(textsOf([['speech', '-to', '-text']])).toEqual(['speech', '-to', '-text'])
    expect(
      textsOf([
        ['Open', 'it.'],
        [' the', ' sub', '-menu'],
      ]),
    ).toEqual(['Open', 'it.', 'the', 'sub-menu'])
  })
})

describe('a sign that stands alone', () => {
  it.each([
    [
      [' Est', '-ce', ' vert', ' ?', ' Oui', ' !'],
      ['Est-ce', 'vert?', 'Oui!'],
    ],
    [
      [' हाँ', ' ।', ' नहीं', ' ।'],
      ['हाँ।', 'नहीं।'],
    ],
    [
      [' نعم', ' ؟', ' لا', ' ،', ' شكرا'],
      ['نعم؟', 'لا،', 'شكرا'],
    ],
  ])('belongs to the word before it where it ends something: %j', (texts, words) => {
    expect(textsOf([texts])).toEqual(words)
  })

  it.each([
    [
      [' 80', ' %', ' de', ' lait'],
      ['80', '%', 'de', 'lait'],
    ],
    [
      [' 2', ' +', ' 2', ' =', ' 4'],
      ['2', '+', '2', '=', '4'],
    ],
    [
      [' 100', ' €', ' &', ' more'],
      ['100', '€', '&', 'more'],
    ],
  ])('stays where it is read out: %j', (texts, words) => {
    expect(textsOf([texts])).toEqual(words)
  })

  it.each([[' -'], [' "'], [' >>'], [' ...']])('says nothing at the beginning: %s', (sign) => {
    expect(textsOf([[sign, ' Open', ' it']])).toEqual(['Open', 'it'])
  })
})
