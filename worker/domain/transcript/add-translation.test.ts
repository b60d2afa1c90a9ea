import { describe, expect, it } from 'vitest'
import type { FormedSegment } from '#worker/db/schema.ts'
import { addTranslation } from './add-translation.ts'

const segment = (startMs: number, endMs: number, text: string): FormedSegment => {
  return { startMs, endMs, text, confidence: null }
}
const add = (segments: FormedSegment[], translated: FormedSegment[]) =>
  addTranslation(segments, { language: 'de', translated }).map((each) => each.translated?.text ?? null)

describe('the other language of captions', () => {
  it('is beside the line of the same time', () => {
    const [one, two] = [segment(0, 2_000, 'Open the lid.'), segment(2_000, 5_000, 'Turn the screw.')]
    expect(addTranslation([one, two], { language: 'de', translated: [segment(0, 2_000, 'Deckel öffnen.')] })).toEqual([
      { ...one, translated: { language: 'de', text: 'Deckel öffnen.' } },
      two,
    ])
  })

  it('is where most of its time is, joined where two sentences are one in the other language', () => {
    const own = [segment(0, 4_000, 'Open the lid and turn the screw.'), segment(4_000, 6_000, 'Done.')]
    const other = [
      segment(0, 2_000, 'Deckel öffnen.'),
      segment(2_000, 4_500, 'Schraube drehen.'),
      segment(4_500, 6_000, 'Fertig.'),
    ]
    expect(add(own, other)).toEqual(['Deckel öffnen. Schraube drehen.', 'Fertig.'])
  })

  it('is kept where no line is at its time: with the nearest before, and the first of all', () => {
    const own = [segment(3_000, 4_000, 'Open the lid.'), segment(9_000, 9_500, 'Done.')]
    expect(add(own, [segment(0, 1_000, 'Hallo.'), segment(20_000, 21_000, 'Ende.')])).toEqual(['Hallo.', 'Ende.'])
    expect(add([], [segment(0, 1_000, 'Hallo.')])).toEqual([])
  })
})
