import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { splitWords } from '#worker/domain/step/extractive/sentences.ts'
import { cleanSpeech } from './extractive-text-rewriter.ts'

const FILLERS = ['um', 'uh', 'you know', 'i mean', 'like', 'so', 'now', 'okay', 'basically', 'right', 'the', 'to']
const WORDS = [
  'click',
  'Save',
  'the',
  'npm.config',
  'iPhone',
  "don't",
  'file',
  'i',
  '42',
  'C++',
  'water',
  'straße',
  '保存',
]
const MARKS = [' ', ', ', '. ', '... ', '? ', ' , ', '.', ' - ', '\n', ' “', '” ']

/** Speech as recognisers write it: words, fillers and stray punctuation in any order. */
const speech = fc
  .array(fc.tuple(fc.constantFrom(...FILLERS, ...WORDS), fc.constantFrom(...MARKS)), { maxLength: 20 })
  .map((pairs) => pairs.flat().join(''))

function isSubsequence(part: string[], whole: string[]): boolean {
  let at = 0
  for (const word of whole) if (word === part[at]) at += 1
  return at === part.length
}

describe('cleanSpeech', () => {
  it.each([
    ['um so click the the Save button', 'Click the Save button.'],
    ['so, you know, open the, uh, file menu', 'Open the file menu.'],
    ['okay now i press enter ,  then wait .', 'Now I press enter, then wait.'],
    ['Basically, you drag it. um. and, i think, drop it', 'You drag it. I think, drop it.'],
    ['Well, uh, the next. then, uh, the rest', 'The next. Then the rest.'],
    ['So that it fits, fold the paper.', 'So that it fits, fold the paper.'],
    ['right click the file', 'Right click the file.'],
    ['open npm.config on the iPhone', 'Open npm.config on the iPhone.'],
    ['It is very very hot, and it had had water.', 'It is very very hot, and it had had water.'],
    ["don't, um, turn it off", "Don't turn it off."],
    ['Is it on?', 'Is it on?'],
    ['open um.the the.um', 'Open um.the the.um.'],
    ['close the the. Then go', 'Close the. Then go.'],
    ['um, uh', 'Um, uh.'],
    ['  ', ''],
  ])('makes "%s" into "%s"', (said, clean) => {
    expect(cleanSpeech(said)).toBe(clean)
  })

  it('only ever leaves words out', () => {
    const adds = (text: string) => isSubsequence(splitWords(cleanSpeech(text)), splitWords(text))
    fc.assert(fc.property(speech, adds), { numRuns: 2_000 })
    fc.assert(fc.property(fc.string({ unit: 'binary', maxLength: 60 }), adds), { numRuns: 1_000 })
  })

  it('keeps something of every text that has words', () => {
    fc.assert(fc.property(speech, (text) => splitWords(text).length === 0 || splitWords(cleanSpeech(text)).length > 0))
  })

  it.each(['um, ', 'the the ', ', like', 'so, ', '. ', 'you know, '])('takes the longest text of "%s"', (word) => {
    const longest = word.repeat(5_000 / word.length)
    expect(cleanSpeech(longest).length).toBeLessThanOrEqual(longest.length + 1)
  })
})
