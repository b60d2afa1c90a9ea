import { describe, expect, it } from 'vitest'
import { checkWords, findRefusedWords, readAllowances, readRefusedWords } from './words.ts'

const GLOSSARY = `
| thing | say | not |
|---|---|---|
| telling watchers | publish, \`publishState\` | \`tell\`, \`told\`, announce |
| finding lost work | recover | \`mend\`, look |
| an amount per day | refund | \`give back\` |

| where | words | counted as | why |
|---|---|---|---|
| \`lists/*\` | all | list | a list |
| \`talks/{one,two}.ts\` | \`tell\`, \`Tell\` | use | a narration |
`
const WORDS = readRefusedWords(GLOSSARY)

describe('readRefusedWords', () => {
  it('takes the words of the last column that stand as code', () => {
    expect(WORDS).toEqual(['give back', 'mend', 'tell', 'told'])
  })
})

describe('findRefusedWords', () => {
  it.each([
    ['in prose', 'It tells the room.', 'tells'],
    ['at the beginning of a sentence', 'Telling the room.', 'Telling'],
    ['at the beginning of a camelCase name', 'tellRoom()', 'tell'],
    ['inside a camelCase name', 'if (wasTold) return', 'Told'],
    ['in a constant', 'const MUST_TELL = 1', 'TELL'],
    ['of two words', 'They give back the rest.', 'give back'],
    ['of two words in a camelCase name', 'function giveBack() {}', 'giveBack'],
    ['of two words in a constant', 'const GIVE_BACK = 1', 'GIVE_BACK'],
  ])('finds a planted word %s', (_where, text, word) => {
    expect(findRefusedWords(`First line.\n${text}`, WORDS)).toEqual([{ line: 2, word }])
  })

  it.each(['We recommend it.', 'recommendSteps()', 'an intellect', 'RECOMMENDED', 'a forgiven backlog'])(
    'leaves %s, which only contains its letters',
    (text) => {
      expect(findRefusedWords(text, WORDS)).toEqual([])
    },
  )
})

describe('checkWords', () => {
  const allowances = readAllowances(GLOSSARY)

  it('reads from the glossary where a word may stand', () => {
    expect(allowances).toEqual([
      { files: 'lists/*', words: [], isList: true },
      { files: 'talks/{one,two}.ts', words: ['tell', 'Tell'], isList: false },
    ])
  })

  it('refuses a word where no allowance names its file and the word', () => {
    const files = [
      ['lists/stop.ts', 'tell told'],
      ['talks/one.ts', 'tell\ntold'],
      ['room.ts', 'tell'],
    ] as const
    expect(checkWords(files, WORDS, allowances)).toEqual({
      refused: ['talks/one.ts:2: told', 'room.ts:1: tell'],
      allowed: 1,
      inLists: 2,
    })
  })

  it('refuses nothing where every word is allowed', () => {
    expect(checkWords([['talks/one.ts', 'tell']], WORDS, allowances).refused).toEqual([])
  })
})
