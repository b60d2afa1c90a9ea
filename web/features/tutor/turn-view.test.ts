import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type AnswerPiece, placeMoments } from './turn-view.tsx'

const show = (pieces: readonly AnswerPiece[]) =>
  pieces
    .map((piece) => {
      if (piece.kind === 'text') return piece.text
      if (piece.isOnScreen) return `<screen ${piece.start}>`
      return piece.noteOfStep === undefined ? `<${piece.start}>` : `<note ${piece.noteOfStep}>`
    })
    .join('')

describe('placeMoments', () => {
  test('puts a moment after its sentence, and after what closes it', () => {
    const text = 'Open the valve. He says: “Turn it left.” Then wait.'
    const citations = [
      { start: 250.4, sentence: 'Turn it left.' },
      { start: 3, sentence: 'Open the valve.' },
    ]
    expect(show(placeMoments(text, { citations, starts: [] }))).toBe(
      'Open the valve.<3> He says: “Turn it left.”<250.4> Then wait.',
    )
  })

  test('makes a moment of a time that is named, where something is known to be there', () => {
    const text = '1. Open it (0:07)\n2. Close it (1:02:03) ← you are here\n3. Dream (9:59)'
    expect(show(placeMoments(text, { citations: [], starts: [7.6, 3723] }))).toBe(
      '1. Open it<7.6>\n2. Close it<3723> ← you are here\n3. Dream (9:59)',
    )
  })

  test('shows a moment once where the text names it too', () => {
    const citations = [{ start: 12.2, sentence: 'Turn it left.' }]
    expect(show(placeMoments('“Turn it left.” (0:12)', { citations, starts: [] }))).toBe('“Turn it left.”<12.2>')
  })

  test('puts a note in the place of its name, also where a moment begins at the same second', () => {
    const noted = { start: 12, sentence: 'Turn it left.', note: { stepId: 'a', stepNumber: 3 } }
    const named = "“Turn it left.” (trainer's note, step 3) (0:12)"
    expect(show(placeMoments(named, { citations: [noted], starts: [12] }))).toBe('“Turn it left.”<note 3><12>')
    expect(show(placeMoments('Turn it left. (4 times)', { citations: [noted], starts: [] }))).toBe(
      'Turn it left.<note 3> (4 times)',
    )
  })

  test('puts a moment of the screen in the place of its name, beside what is said at the same second', () => {
    const shown = { start: 192.4, sentence: 'ls -la', isOnScreen: true } as const
    const text = '“ls -la” (am Bildschirm bei 3:12)\n\n“Type it.” (3:12)'
    const said = { start: 192, sentence: 'Type it.' }
    expect(show(placeMoments(text, { citations: [shown, said], starts: [] }))).toBe(
      '“ls -la”<screen 192.4>\n\n“Type it.”<192.4>',
    )
    expect(show(placeMoments('Type “ls -la”. (2:10)', { citations: [shown], starts: [] }))).toBe(
      'Type “ls -la”<screen 192.4>. (2:10)',
    )
  })

  test('puts a moment whose sentence is not there at the end', () => {
    const citations = [{ start: 5, sentence: 'Nowhere to be found.' }]
    expect(show(placeMoments('Turn it.', { citations, starts: [] }))).toBe('Turn it.<5>')
  })

  test('loses and invents no word, whatever is cited', () => {
    const words = fc.array(fc.constantFrom('Turn', 'it', 'left.', '“Now”', '(0:07)', '(1:10)', '\n'), { maxLength: 12 })
    fc.assert(
      fc.property(
        words.map((some) => some.join(' ')),
        fc.array(fc.record({ start: fc.nat(80), sentence: words.map((some) => some.join(' ')) }), { maxLength: 5 }),
        fc.array(fc.nat(80), { maxLength: 4 }),
        (text, citations, starts) => {
          const pieces = placeMoments(text, { citations, starts })
          const known = [...citations.map(({ start }) => start), ...starts]
          const kept = pieces.map((piece) => (piece.kind === 'text' ? piece.text : '')).join('')
          expect(kept.replaceAll(/\s?\(\d:\d\d\)/g, '')).toBe(text.replaceAll(/\s?\(\d:\d\d\)/g, ''))
          for (const piece of pieces) if (piece.kind === 'moment') expect(known).toContain(piece.start)
        },
      ),
    )
  })
})
