import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { AppError } from '#worker/core/errors.ts'
import { meanConfidence } from '#worker/domain/transcript/form-section.ts'
import { normaliseWhisper } from './normalise-whisper.ts'
import { rateSegment, rateWord } from './rate-words.ts'

const CHUNK_MS = 30_000

function textOf(answer: unknown, durationMs = CHUNK_MS): string {
  return normaliseWhisper(answer, durationMs)
    .words.map((word) => word.text)
    .join(' ')
}

function timesOf(answer: unknown, durationMs = CHUNK_MS): [string, number, number][] {
  return normaliseWhisper(answer, durationMs).words.map((word) => [word.text, word.startMs, word.endMs])
}

describe('normaliseWhisper, answers as documented', () => {
  it('reads verbose_json of OpenAI: words beside segments, rated by the segment around them', () => {
    const result = normaliseWhisper(
      {
        task: 'transcribe',
        language: 'english',
        duration: 30,
        text: 'Click File. Save.',
        words: [
          { word: 'Click', start: 0.5, end: 0.9 },
          { word: 'File.', start: 0.9, end: 1.4 },
          { word: 'Save.', start: 3, end: 3.5 },
        ],
        segments: [
          {
            id: 0,
            start: 0,
            end: 2,
            text: ' Click File.',
            avg_logprob: Math.log(0.8),
            compression_ratio: 1.1,
            no_speech_prob: 0.01,
          },
          {
            id: 1,
            start: 2,
            end: 4,
            text: ' Save.',
            avg_logprob: Math.log(0.4),
            compression_ratio: 1,
            no_speech_prob: 0.02,
          },
        ],
      },
      CHUNK_MS,
    )
    expect(result.language).toBe('en')
    expect(
      result.words.map((word) => [word.text, word.startMs, word.endMs, Number(word.confidence?.toFixed(2))]),
    ).toEqual([
      ['Click', 500, 900, 0.92],
      ['File.', 900, 1_400, 0.92],
      ['Save.', 3_000, 3_500, 0.22],
    ])
    expect(meanConfidence(result.words)).toBeCloseTo((0.92 + 0.92 + 0.22) / 3)
  })

  it('reads Workers AI: words inside segments, language in transcription_info', () => {
    const result = normaliseWhisper(
      {
        text: 'Click File.',
        word_count: 2,
        vtt: 'WEBVTT',
        transcription_info: { language: 'en', language_probability: 0.99, duration: 30, duration_after_vad: 2 },
        segments: [
          {
            start: 1,
            end: 2,
            text: 'Click File.',
            temperature: 0,
            avg_logprob: -0.2,
            compression_ratio: 0.9,
            no_speech_prob: 0,
            words: [
              { word: ' Click', start: 1, end: 1.4 },
              { word: ' File.', start: 1.4, end: 2 },
            ],
          },
        ],
      },
      CHUNK_MS,
    )
    expect(result.language).toBe('en')
    expect(result.words.map((word) => [word.text, word.startMs, word.endMs])).toEqual([
      ['Click', 1_000, 1_400],
      ['File.', 1_400, 2_000],
    ])
    expect(meanConfidence(result.words)).toBeCloseTo(rateSegment(-0.2))
  })

  it.each([
    ['beside', { words: [{ word: ' go', start: 0, end: 1, probability: 0.7 }] }, {}],
    ['inside of', {}, { words: [{ word: ' go', start: 0, end: 1, probability: 0.7 }] }],
  ])('rates words %s segments by their own probabilities and that of the segment', (_, beside, inside) => {
    const rate = (marks: object) => {
      const segments = [{ start: 0, end: 2, text: 'go', ...inside, ...marks }]
      return meanConfidence(normaliseWhisper({ text: 'go', ...beside, segments }, CHUNK_MS).words)
    }
    expect(rate({})).toBe(0.7)
    expect(rate({ avg_logprob: -1.5 })).toBe(rateWord(0.7, rateSegment(-1.5)))
  })

  it('spreads the text of segments that have no words over their time', { tags: 'fault-25' }, () => {
    const answer = {
      text: 'x',
      segments: [
        { start: 2, end: 4, text: 'abc defg' },
        { start: 10, end: 11, text: 'end' },
      ],
    }
    expect(timesOf(answer)).toEqual([
      ['abc', 2_000, 2_889],
      ['defg', 2_889, 4_000],
      ['end', 10_000, 11_000],
    ])
    expect(meanConfidence(normaliseWhisper(answer, CHUNK_MS).words)).toBeNull()
  })

  it('spreads text alone over the whole chunk', { tags: 'fault-25' }, () => {
    expect(timesOf({ text: 'one two' }, 8_000)).toEqual([
      ['one', 0, 4_000],
      ['two', 4_000, 8_000],
    ])
    expect(textOf({ text: '保存します' })).toBe('保 存 し ま す')
    expect(textOf({ text: '打开盖子。把“杯子”装到80%。灯' })).toBe('打 开 盖 子。 把 “杯 子” 装 到80%。 灯')
  })

  it('takes an empty text for silence, without a language', () => {
    expect(normaliseWhisper({ text: '', language: 'en', segments: [] }, CHUNK_MS)).toEqual({
      words: [],
      language: null,
    })
  })

  it.each([[null], ['<html>'], [{}], [{ text: 7 }], [[]]])('refuses %j, which is no transcript', (answer) => {
    expect(() => normaliseWhisper(answer, CHUNK_MS)).toThrow(AppError)
  })
})

describe('normaliseWhisper, times that cannot be right', { tags: 'fault-25' }, () => {
  it('gives words without a time an even share between their neighbours', () => {
    const words = [
      { word: 'a', start: 1, end: 2 },
      { word: 'b', start: Number.NaN, end: null },
      { word: 'c' },
      { word: 'd', start: 4, end: 5 },
    ]
    expect(timesOf({ text: 'x', words })).toEqual([
      ['a', 1_000, 2_000],
      ['b', 2_000, 3_000],
      ['c', 3_000, 4_000],
      ['d', 4_000, 5_000],
    ])
  })

  it('orders words, ends overlaps, and draws in what lies outside', () => {
    const words = [
      { word: 'b', start: 5, end: 9 },
      { word: 'a', start: -1, end: 6 },
      { word: 'c', start: 8, end: 7 },
      { word: 'd', start: 29.9, end: 31 },
      { word: 'e', start: 30.5, end: 31 },
    ]
    expect(timesOf({ text: 'x', words })).toEqual([
      ['a', 0, 5_000],
      ['b', 5_000, 8_000],
      ['c', 8_000, 8_240],
      ['d', 29_900, 30_000],
      ['e', 30_000, 30_000],
    ])
  })

  it('believes no time when most lie outside, as with milliseconds for seconds', () => {
    const words = [
      { word: 'a', start: 500, end: 900 },
      { word: 'b', start: 900, end: 1_500 },
    ]
    expect(timesOf({ text: 'x', words }, 10_000)).toEqual([
      ['a', 0, 5_000],
      ['b', 5_000, 10_000],
    ])
  })

  it('makes words that keep the promise of the port out of any garbage', () => {
    const number = fc.oneof(
      fc.double(),
      fc.double({ min: -5, max: 40, noNaN: true }),
      fc.constantFrom(null, 'x', '3', {}, Number.NaN),
    )
    const text = fc.oneof(fc.constantFrom('click', 'the', ' File. ', '', '♪', '.', 7, null), fc.string())
    const word = fc.oneof(
      fc.record({ word: text, start: number, end: number, probability: number }, { requiredKeys: [] }),
      fc.anything(),
    )
    const segment = fc.oneof(
      fc.record(
        {
          text,
          start: number,
          end: number,
          avg_logprob: number,
          no_speech_prob: number,
          compression_ratio: number,
          words: fc.oneof(fc.array(word), fc.anything()),
        },
        { requiredKeys: [] },
      ),
      fc.anything(),
    )
    const answer = fc.record(
      { text: fc.string(), words: fc.array(word), segments: fc.array(segment), language: fc.anything() },
      { requiredKeys: ['text'] },
    )
    fc.assert(
      fc.property(answer, fc.integer({ min: 0, max: 120_000 }), (said, durationMs) => {
        const result = normaliseWhisper(said, durationMs)
        result.words.forEach((each, i) => {
          expect(each.text.trim()).not.toBe('')
          expect(Number.isInteger(each.startMs) && Number.isInteger(each.endMs)).toBe(true)
          expect(each.startMs).toBeGreaterThanOrEqual(result.words[i - 1]?.endMs ?? 0)
          expect(each.endMs).toBeGreaterThanOrEqual(each.startMs)
          expect(each.endMs).toBeLessThanOrEqual(durationMs)
          expect(each.confidence === null || (each.confidence >= 0 && each.confidence <= 1)).toBe(true)
        })
      }),
      { numRuns: 500 },
    )
  })
})

describe('normaliseWhisper, invented text', () => {
  const said = {
    start: 0,
    end: 5,
    text: 'Open the menu.',
    avg_logprob: -0.2,
    no_speech_prob: 0.05,
    compression_ratio: 1.2,
  }

  it.each([
    ['over silence', { no_speech_prob: 0.7, avg_logprob: -1.2 }],
    ['that compresses too well', { compression_ratio: 2.5 }],
    ['that names a noise', { text: '[BLANK_AUDIO]' }],
  ])('drops a segment %s, with its words', (_why, signs) => {
    const made = { ...said, start: 10, end: 15, text: 'made up here', ...signs }
    expect(textOf({ text: 'x', segments: [said, made] })).toBe('Open the menu.')
    const words = [
      { word: 'Open', start: 1, end: 2 },
      { word: 'made', start: 11, end: 12 },
    ]
    expect(textOf({ text: 'x', segments: [said, made], words })).toBe('Open')
    expect(textOf({ text: 'made up here', segments: [made] })).toBe('')
  })

  it.each([
    ['likely silence that was clearly understood', { no_speech_prob: 0.7, avg_logprob: -0.9 }],
    ['unclear speech that is no silence', { no_speech_prob: 0.5, avg_logprob: -1.5 }],
    ['text that compresses as speech does', { compression_ratio: 2.4 }],
  ])('keeps %s', (_why, signs) => {
    expect(textOf({ text: 'x', segments: [{ ...said, ...signs }] })).toBe('Open the menu.')
  })

  it('keeps a phrase that repeats itself once, and nothing of a chunk that is all loop', () => {
    expect(textOf({ text: `Now open it. ${'and then '.repeat(9)}we save the file again` })).toBe(
      'Now open it. and then we save the file again',
    )
    expect(textOf({ text: 'Thanks for it. '.repeat(12) })).toBe('')
  })

  it('keeps what people do repeat', () => {
    expect(textOf({ text: 'No, no, no, no! Click, click, click.' })).toBe('No, no, no, no! Click, click, click.')
  })

  it('drops a closing line that is all there is in a long chunk, but not in a short one', () => {
    expect(textOf({ text: 'Thank you for watching!' })).toBe('')
    expect(textOf({ text: 'Thank you for watching!' }, 3_000)).toBe('Thank you for watching!')
    expect(textOf({ text: 'That is all. Thank you.' })).toBe('That is all. Thank you.')
  })

  it('keeps nothing of a chunk in which a long sentence goes round and round', () => {
    const sentence =
      'So if you want to change the colour of the text you have to select it first and then open the menu at the top. '
    expect(textOf({ text: sentence.repeat(5) })).toBe('')
  })

  it('does not take more words than a person can speak', () => {
    const text = Array.from({ length: 5_000 }, (_, i) => `w${i}`).join(' ')
    expect(normaliseWhisper({ text }, 10_000).words).toHaveLength(120)
  })
})
