import { describe, expect, it } from 'vitest'
import type { CaptionShift } from '#contract/captions/report.ts'
import { CaptionsAnswer } from '#contract/transcript.ts'
import { sayCaptions, sayDoubt, sayLanguages, sayShift } from './say-captions.ts'

it('says how many captions there are, and of which language', () => {
  expect(sayCaptions({ cues: 1, language: null })).toBe('1 caption')
  expect(sayCaptions({ cues: 3_400, language: 'de' })).toBe('3,400 captions, German')
})

it.each<[string, object, string[]]>([
  ['one language', {}, []],
  [
    'two languages',
    { language: 'es' },
    ['English is kept as a translation of the captions, for when you switch that language on.'],
  ],
  [
    'another language than the video',
    { languages: [], language: 'en', spoken: 'es' },
    [
      'Language of the captions: English. Spoken in the video: Spanish. If you use these captions, transcript and steps are in theirs, and what was understood of the speech is replaced.',
    ],
  ],
])('says what becomes of the languages of captions: %s', (_what, found, lines) => {
  const languages = ['en', 'es'].map((language) => ({ language, cues: 1, firstLines: [] }))
  expect(sayLanguages(CaptionsAnswer.parse({ success: true, cues: 1, languages, ...found }))).toEqual(lines)
})

describe('sayShift', () => {
  it.each<[CaptionShift['reason'], number, number, string]>([
    ['after_end', -36_000, -36_000, 'All captions begin after the end of the video. They fit 10 h 0 min earlier.'],
    ['speech', -2.4, -2.4, 'The captions come 2.4 s late. Move them?'],
    ['speech', 11, 11.1, 'The captions come 11.0 s early. Move them?'],
    [
      'speech',
      0,
      19.2,
      'The captions drift away from what is said, by 0 ms at the beginning and 19.2 s at the end. Move them?',
    ],
  ])('of captions moved for %s by %d s to %d s', (reason, first, last, text) => {
    expect(sayShift({ reason, first, last, isMoved: false })).toBe(text)
  })
})

it('asks whether captions are of this video', () => {
  const lengths = { captionsSeconds: 3_120, videoSeconds: 480 }
  expect(sayDoubt({ code: 'beyond_end', ...lengths })).toBe(
    'These captions last 52 min 0 s, the video 8 min 0 s. Are they of this video?',
  )
  expect(sayDoubt({ code: 'shorter_than_speech', ...lengths })).toContain('the speech in the video 8 min 0 s')
})
