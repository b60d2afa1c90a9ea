import { describe, expect, it } from 'vitest'
import { groundTitles } from './ground-titles.ts'

const SAID = ['Loosen the screws of the pump, then lift its cover.', 'Now wipe the filter and put it back.']
const ground = (titles: string[], known = SAID) =>
  groundTitles(
    titles.map((title) => ({ title })),
    known,
  ).map(({ title }) => title)
const FAULT = { code: 'ai_failed' }

describe('groundTitles', () => {
  it('keeps titles with a word of what was said, in another form as well', () => {
    const titles = ['Loosening screws', 'Take the pump apart', 'Clean the filter']
    expect(ground(titles)).toEqual(titles)
  })

  it('empties a title without any, and leaves one alone that has no word with a meaning', () => {
    expect(ground(['Loosen the screws', 'Einführung', 'Wipe the filter', '256'])).toEqual([
      'Loosen the screws',
      '',
      'Wipe the filter',
      '256',
    ])
  })

  it.each([
    ['another language', ['Lösen Sie die Schrauben', 'Den Deckel abnehmen', 'Filter']],
    ['the instructions', ['Output the JSON', 'Begin with line 1', 'Follow all rules']],
    ['another video', ['Mix the dough', 'Heat the oven']],
  ])('refuses an answer that is mostly in or of %s', (_what, titles) => {
    expect(() => ground(titles)).toThrow(expect.objectContaining(FAULT))
  })

  it('refuses an answer that goes in circles, and no short one', () => {
    expect(() => ground(['Lift', 'lift', 'Lift', 'Wipe'].map((word) => `${word} it, pump`))).toThrow(
      expect.objectContaining(FAULT),
    )
    expect(ground(['Lift the cover', 'Lift the cover'])).toHaveLength(2)
  })

  it('reads scripts without blanks by their characters', () => {
    const known = ['ネジを緩めてカバーを外します。', 'フィルターを拭きます。']
    expect(ground(['ネジを緩める', 'フィルターの掃除'], known)).toEqual(['ネジを緩める', 'フィルターの掃除'])
    expect(() => ground(['打开盖子', 'Open it'], ['ネジ'])).toThrow(expect.objectContaining(FAULT))
  })

  it('takes an answer without titles as it is', () => {
    expect(ground(['', ''])).toEqual(['', ''])
    expect(ground([])).toEqual([])
  })
})
