import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { TranscribedWord } from '#worker/ports/speech-to-text.ts'
import { formSegments } from './form-section.ts'

/** Words of 300 ms with 50 ms between them; `|` is a pause of half a second, `||` one of three seconds. */
function say(text: string): TranscribedWord[] {
  const words: TranscribedWord[] = []
  let atMs = 0
  for (const token of text.split(' ')) {
    if (token === '|') atMs += 450
    else if (token === '||') atMs += 2_950
    else {
      words.push({ text: token, startMs: atMs, endMs: atMs + 300, confidence: 0.9 })
      atMs += 350
    }
  }
  return words
}

function textsOf(words: TranscribedWord[]): string[] {
  return formSegments(words).map((segment) => segment.text)
}

describe('formSegments', () => {
  it('ends segments at sentence ends, not at pauses inside a sentence or at abbreviations', () => {
    const words = say('Open the | File menu, e.g. with Alt+F. Click "Save as." Version 10.04 is fine.')
    expect(textsOf(words)).toEqual([
      'Open the File menu, e.g. with Alt+F.',
      'Click "Save as."',
      'Version 10.04 is fine.',
    ])
  })

  it('cuts a sentence of more than 15 s at its longest pause', () => {
    const long = `${'word '.repeat(25)}| ${'more '.repeat(25)}end.`
    expect(textsOf(say(long)).map((text) => text.split(' ').length)).toEqual([25, 26])
  })

  it('does not carry a sentence over a silence', () => {
    expect(textsOf(say('Click here. And then || Now save. Done.'))).toEqual([
      'Click here.',
      'And then',
      'Now save.',
      'Done.',
    ])
  })

  it('ends segments at pauses where nothing is punctuated, and writes them as sentences', () => {
    const words = say("so i click on the file menu | then i'm choosing save as from it | italia i press enter now okay")
    expect(textsOf(words)).toEqual([
      'So I click on the file menu',
      "Then I'm choosing save as from it",
      'Italia I press enter now okay',
    ])
  })

  it('takes only long pauses for ends when the narrator pauses after every word', () => {
    const words = say('now | click | on | the | file | menu || then | choose | save | as | from | it')
    expect(textsOf(words)).toEqual(['Now click on the file menu', 'Then choose save as from it'])
  })

  it('joins a lone word to its neighbour', () => {
    expect(textsOf(say('okay | now we click on the file menu there'))).toEqual([
      'Okay now we click on the file menu there',
    ])
  })

  it('returns the times of the first and last word and the mean of the known confidences', () => {
    const words = say('Click here.')
    const unsure = words.map((word, i) => ({ ...word, confidence: i === 0 ? 0.5 : null }))
    expect(formSegments(unsure)).toEqual([{ startMs: 0, endMs: 650, text: 'Click here.', confidence: 0.5 }])
    expect(formSegments(words.map((word) => ({ ...word, confidence: null })))[0]?.confidence).toBeNull()
    expect(formSegments([])).toEqual([])
  })

  it('marks words that a recogniser is not sure of, more of them where it guesses more', () => {
    const sayWith = (confidences: readonly number[]) =>
      say('click new project now').map((word, at) => ({ ...word, confidence: confidences[at] ?? null }))
    const unsureOf = (confidences: readonly number[]) => formSegments(sayWith(confidences))[0]?.unsure
    expect(unsureOf([0.99, 0.8, 0.97, 0.98])).toBeUndefined()
    expect(unsureOf([0.99, 0.4, 0.97, 0.98])).toEqual([1])
    expect(unsureOf([0.99, 0.6, 0.95, 0.65])).toEqual([1, 3])
    expect(unsureOf([0.99, 0.6, 0.95, 0.75])).toBeUndefined()
    expect(formSegments(sayWith([0.99, 0.6, 0.95, 0.4]))[0]).toMatchObject({ unsure: [1, 3], guessed: [3] })
    expect(formSegments(sayWith([0.99, 0.48, 0.97, 0.98]))[0]?.guessed).toBeUndefined()
    // One confidence for all says nothing of one word.
    expect(unsureOf([0.7, 0.7, 0.7, 0.7])).toBeUndefined()
  })

  it('writes scripts without blanks without blanks', () => {
    expect(textsOf(say('保存 を クリック します。 Excel を 開く。'))).toEqual([
      '保存をクリックします。',
      'Excel を開く。',
    ])
  })

  it('keeps every word in order, within the length, whatever is said', () => {
    const word = fc.record({
      text: fc.constantFrom('click', 'the', 'menu.', 'i', 'then,', '保存'),
      lengthMs: fc.integer({ min: 0, max: 900 }),
      pauseMs: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 5_000 })),
    })
    fc.assert(
      fc.property(fc.array(word, { maxLength: 200 }), (draws) => {
        let atMs = 0
        const words = draws.map((draw) => {
          const startMs = atMs + draw.pauseMs
          atMs = startMs + draw.lengthMs
          return { text: draw.text, startMs, endMs: atMs, confidence: 0.7 }
        })
        const segments = formSegments(words)
        const spoken = (texts: string[]) => texts.join('').replaceAll(' ', '').toLowerCase()
        expect(spoken(segments.map((segment) => segment.text))).toBe(spoken(words.map((each) => each.text)))
        segments.forEach((segment, i) => {
          expect(segment.startMs).toBeGreaterThanOrEqual(segments[i - 1]?.endMs ?? 0)
          expect(segment.endMs - segment.startMs).toBeLessThanOrEqual(15_000)
        })
      }),
    )
  })
})
