import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { makeBlock } from '#contract/testing/examples.ts'
import { spellAsShown } from './spell-as-shown.ts'
import { listLabels, type VisibleLabel } from './visible-labels.ts'

const label = (text: string, startMs = 0, y = 0.5): VisibleLabel => {
  return { text, startMs, endMs: startMs + 20_000, box: { x: 0, y, width: 0.1, height: 0.02 } }
}

describe('spellAsShown', () => {
  it.each([
    ['Open speech-to-text slash', 'Speech to Text', 'Open Speech to Text'],
    ['Click add to cart.', 'Add to cart', 'Click Add to cart.'],
    ['Push it to git hub now', 'GitHub', 'Push it to GitHub now'],
    ['Use the wifi settings', 'Wi-Fi Settings', 'Use the Wi-Fi Settings'],
    ['Speech To Text is off', 'speech-to-text', 'Speech-to-text is off'],
    ['Im Menü die rechtschreib prüfung wählen', 'Rechtschreibprüfung', 'Im Menü die Rechtschreibprüfung wählen'],
  ])('spells %j with %j on the screen as %j', (text, shown, spelled) => {
    expect(spellAsShown(text, [label(shown)])).toBe(spelled)
  })

  it.each([
    ['Open the file', 'File'],
    ['Save the file', 'save'],
    ['Do it in place', 'IN'],
    ['Write to us', 'U.S.'],
    ['Use man command', 'man Command'],
    ['Clean the lid. Open it', 'Lid open'],
    ['Add the cart', 'Add to cart'],
    ['Whitespace stays', 'White'],
  ])('leaves %j as it is where the screen shows %j', (text, shown) => {
    expect(spellAsShown(text, [label(shown)])).toBe(text)
  })

  it('spells nothing else, and the second time nothing at all', () => {
    const labels = [label('Speech to Text'), label('File', 0, 0.01), label('Export As', 3_000, 0.1), label('GitHub')]
    const piece = fc.constantFrom('speech-to-text', 'file', 'and then', 'export as', '.', 'git hub', 'the lid', 'slash')
    const text = fc.array(piece, { maxLength: 8 }).map((pieces) => pieces.join(' '))
    fc.assert(
      fc.property(text, (said) => {
        const spelled = spellAsShown(said, labels)
        expect(spellAsShown(spelled, labels)).toBe(spelled)
        const words = (of: string) => of.toLowerCase().match(/\p{L}+/gu) ?? []
        const known = new Set([...words(said), 'github'])
        expect(words(spelled).filter((word) => !known.has(word))).toEqual([])
      }),
    )
  })
})

describe('menus', () => {
  const FILE = label('File', 1_000, 0.01)
  const EXPORT = label('Export As', 4_000, 0.1)
  const PDF = label('PDF', 6_000, 0.12)

  it.each([
    ['Click file and then export as.', 'Click File › Export As.'],
    ['Go to file, choose export as, then PDF', 'Go to File › Export As › PDF'],
    ['Click File. Then export as', 'Click File. Then Export As'],
    ['Export as a file', 'Export As a file'],
    ['Click the file that you want to export as', 'Click the file that you want to Export As'],
  ])('%j becomes %j', (text, spelled) => {
    expect(spellAsShown(text, [FILE, EXPORT, PDF])).toBe(spelled)
  })

  it('are no path where the screen did not show the second under the first while that was there', () => {
    const text = 'Click file and then export as'
    const plain = 'Click file and then Export As'
    expect(spellAsShown(text, [FILE, label('Export As', 4_000, 0)])).toBe(plain)
    expect(spellAsShown(text, [FILE, label('Export As', 0, 0.1)])).toBe(plain)
    expect(spellAsShown(text, [FILE, label('Export As', 30_000, 0.1)])).toBe(plain)
  })
})

describe('listLabels', () => {
  const RANGE = { startMs: 20_000, endMs: 30_000 }
  const textsOf = (...blocks: Parameters<typeof makeBlock>[]) =>
    listLabels(
      blocks.map((block) => makeBlock(...block)),
      RANGE,
    ).map(({ text }) => text)

  it('has the names of the range and of ten seconds around it', () => {
    const kind = 'label'
    expect(
      textsOf(
        ['gone', 7_999, { kind }],
        ['before', 8_001, { kind }],
        ['Save As…', 25_000, { kind }],
        ['after', 39_999, { kind }],
        ['late', 40_000, { kind }],
        ['ls', 25_000],
        ['Some sentence of a page', 25_000, { kind: 'other' }],
      ),
    ).toEqual(['before', 'Save As', 'after'])
  })

  it('takes a menu bar for several names', () => {
    expect(textsOf(['File Edit View Window Help', 20_000, { kind: 'other' }])).toEqual([
      'File',
      'Edit',
      'View',
      'Window',
      'Help',
    ])
  })
})
