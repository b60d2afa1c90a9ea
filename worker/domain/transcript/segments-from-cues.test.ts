import { describe, expect, it } from 'vitest'
import { segmentsFromCues } from './segments-from-cues.ts'

function cue(startS: number, endS: number, text: string) {
  return { startMs: startS * 1000, endMs: endS * 1000, text }
}

describe('segmentsFromCues', () => {
  it('joins cues that break a sentence and keeps the others apart', () => {
    const cues = [
      cue(0, 3, 'Go to the menu.'),
      cue(3, 8, 'Select accessories and then'),
      cue(8, 12, 'click on terminal.'),
    ]
    expect(segmentsFromCues(cues)).toEqual([
      { startMs: 0, endMs: 3_000, text: 'Go to the menu.', confidence: null },
      { startMs: 3_000, endMs: 12_000, text: 'Select accessories and then click on terminal.', confidence: null },
    ])
  })

  it.each([
    ['over 15 s', [cue(0, 9, 'Select this and'), cue(9, 16, 'that one.')]],
    ['over a pause', [cue(0, 4, 'Select this and'), cue(6, 9, 'that one.')]],
    ['before a capital letter', [cue(0, 4, 'press enter'), cue(4, 7, 'Talking of commands.')]],
    [
      'without punctuation in the file',
      [cue(0, 2, 'so today we'), cue(2, 4, 'are going to'), cue(4, 6, 'open a file')],
    ],
  ])('does not join %s', (_why, cues) => {
    expect(segmentsFromCues(cues)).toHaveLength(cues.length)
  })

  it('joins no more than a segment may have, however short the cues are', { tags: 'attack-3' }, () => {
    const cues = Array.from({ length: 5_000 }, (_, n) => ({ startMs: n * 3, endMs: n * 3 + 3, text: 'and' }))
    // A fourth of them end a sentence, so that the others are joined.
    const joined = segmentsFromCues(cues.map((each, n) => (n < 3_750 ? each : { ...each, text: 'so.' })))
    expect(joined.length).toBeLessThan(2_000)
    expect(Math.max(...joined.map(({ text }) => text.length))).toBeLessThanOrEqual(2_000)
  })

  it('splits a cue of several sentences that lasts too long, by the length of its text', () => {
    const segments = segmentsFromCues([cue(10, 40, 'Open the menu. Click on Save.')])
    expect(segments.map(({ startMs, endMs, text }) => [startMs, endMs, text])).toEqual([
      [10_000, 25_000, 'Open the menu.'],
      [25_000, 40_000, 'Click on Save.'],
    ])
  })

  it('leaves a long cue of one sentence as it is', () => {
    expect(segmentsFromCues([cue(0, 40, 'Click Save.')])).toHaveLength(1)
  })
})
