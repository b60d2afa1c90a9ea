import { describe, expect, it } from 'vitest'
import { makeBlock } from '#contract/testing/examples.ts'
import { type HeardLine, repairWords as repair, replaceHeard } from './repair-words.ts'

const line = (text: string, unsure: number[], startMs = 20_000): HeardLine => ({
  text,
  unsure,
  startMs,
  endMs: startMs + 4_000,
})
const repairWords = (heard: HeardLine, blocks: Parameters<typeof repair>[1]) => repair(heard, blocks).text
const label = (text: string, startMs = 20_000) => makeBlock(text, startMs, { kind: 'label', endMs: startMs + 1_000 })

describe('repairWords', () => {
  it('writes a visible name in the place of an unsure word that is nearly the same', () => {
    const heard = line('Open nautilis, then wait.', [1])
    expect(repairWords(heard, [label('Nautilus')])).toBe('Open Nautilus, then wait.')
    expect(repairWords(line('Type "jedit" now.', [1]), [makeBlock('sudo gedit notes.txt', 20_000)])).toBe(
      'Type "gedit" now.',
    )
  })

  it('joins unsure words that are one name', () => {
    expect(repairWords(line('Start Lib Office now.', [1, 2]), [label('LibreOffice')])).toBe('Start LibreOffice now.')
    expect(repairWords(line('Choose peach to text.', [1, 2, 3]), [label('Speech to Text…')])).toBe(
      'Choose Speech to Text.',
    )
  })

  it.each([
    ['a sure word', line('Open nautilis now.', [0]), [label('Nautilus')]],
    ['a part of which the recogniser is sure', line('Start Lib Office now.', [1]), [label('LibreOffice')]],
    ['a word that is too different', line('Open notices now.', [1]), [label('Nautilus')]],
    ['a short word', line('Press few now.', [1]), [label('View')]],
    ['another form of the same word', line('Open folders now.', [1]), [label('Folder')]],
    ['a word that is visible itself', line('Move the house now.', [2]), [label('Mouse'), label('House')]],
    ['a word that may be either of two names', line('Open Lizt now.', [1]), [label('List'), label('Lint')]],
    ['a word without a meaning', line('Look where it is.', [1]), [label('There')]],
    [
      'a word by one of an ordinary sentence',
      line('Look at the mouse.', [3]),
      [makeBlock('a house', 20_000, { kind: 'other' })],
    ],
    ['a word that differs in capitals alone', line('Open nautilus now.', [1]), [label('Nautilus')]],
  ])('leaves %s', (_, heard, blocks) => {
    expect(repairWords(heard, blocks)).toBe(heard.text)
  })

  it('asks for a text that is visible within ten seconds of every moment of the line', () => {
    const heard = line('Open nautilis now.', [1])
    const text = (startMs: number, endMs: number) =>
      repairWords(heard, [makeBlock('Nautilus', startMs, { kind: 'label', endMs })])
    expect(text(30_000, 60_000)).toContain('Nautilus')
    expect(text(30_001, 60_000)).toContain('nautilis')
    expect(text(0, 14_000)).toContain('Nautilus')
    expect(text(0, 13_999)).toContain('nautilis')
  })
})

describe('replaceHeard', () => {
  it('writes the name wherever a text has what was heard for it, as a word of its own', () => {
    const { repairs } = repair(line('Start Lib Office and nautilis.', [1, 2, 4]), [
      label('LibreOffice'),
      label('Nautilus'),
    ])
    expect(repairs).toEqual([
      { from: 'Lib Office', to: 'LibreOffice' },
      { from: 'nautilis', to: 'Nautilus' },
    ])
    expect(replaceHeard('Nautilis, nautilisation and lib office', repairs)).toBe(
      'Nautilus, nautilisation and LibreOffice',
    )
    expect(replaceHeard('İ nautilis', repairs)).toBe('İ Nautilus')
  })
})
