import { describe, expect, it } from 'vitest'
import type { FormedSegment } from '#worker/db/schema.ts'
import type { TranscribedWord } from '#worker/ports/speech-to-text.ts'
import {
  hasUsablePart,
  isUnderstood,
  rateTranscription as rate,
  type TranscribedSums,
  type Transcription,
} from './rate-transcription.ts'

function chunk(wordCount: number, confidence: number | null, durationMs = 30_000): TranscribedSums {
  return { transcribedMs: durationMs, wordCount, confidenceSum: wordCount * (confidence ?? 1) }
}

function rateTranscription(chunks: TranscribedSums[]): Transcription {
  const sum = (field: keyof TranscribedSums) => chunks.reduce((total, each) => total + each[field], 0)
  const [transcribedMs, wordCount] = [sum('transcribedMs'), sum('wordCount')]
  return rate({ transcribedMs, wordCount, confidenceSum: sum('confidenceSum') })
}

describe('rateTranscription', () => {
  it('draws the line at a mean word confidence of 0.5', () => {
    expect(rateTranscription([chunk(40, 0.5), chunk(40, 0.5)])).toBe('understood')
    expect(rateTranscription([chunk(40, 0.49), chunk(40, 0.5)])).toBe('not_understood')
  })

  it('weighs chunks by their words', () => {
    expect(rateTranscription([chunk(90, 0.7), chunk(10, 0.1)])).toBe('understood')
    expect(rateTranscription([chunk(10, 0.7), chunk(90, 0.1)])).toBe('not_understood')
  })

  it('trusts a recogniser that reports no confidence', () => {
    expect(rateTranscription([chunk(40, null), chunk(40, null)])).toBe('understood')
  })

  it('judges a short recording', () => {
    expect(rateTranscription([chunk(20, 0.3, 10_000)])).toBe('not_understood')
    expect(rateTranscription([chunk(20, 0.8, 10_000)])).toBe('understood')
  })

  it('finds no narration in silence and in a few stray words', () => {
    expect(rateTranscription([])).toBe('no_narration')
    expect(rateTranscription([chunk(0, null), chunk(0, null)])).toBe('no_narration')
    expect(rateTranscription([chunk(2, 0.9), chunk(0, null)])).toBe('no_narration')
    expect(rateTranscription([chunk(3, 0.9), chunk(0, null)])).toBe('understood')
  })
})

const segment = (startMs: number, endMs: number): FormedSegment => ({
  startMs,
  endMs,
  text: 'Turn it.',
  confidence: 0.9,
})

describe('hasUsablePart', () => {
  it('asks for ten seconds of understood speech', () => {
    expect(hasUsablePart([segment(500, 6_000), segment(7_000, 11_400)])).toBe(false)
    expect(hasUsablePart([segment(500, 6_000), segment(7_000, 11_500)])).toBe(true)
    expect(hasUsablePart([])).toBe(false)
  })

  it('adds nothing up over long pauses: a stray word in each minute of noise is no narration', () => {
    const strayWords = Array.from({ length: 30 }, (_, minute) => segment(minute * 60_000, minute * 60_000 + 900))
    expect(hasUsablePart(strayWords)).toBe(false)
    expect(hasUsablePart([segment(0, 9_900), segment(29_900, 39_800)])).toBe(false)
    expect(hasUsablePart([segment(0, 9_900), segment(29_899, 39_800)])).toBe(true)
  })
})

/** A word in each second, each with its confidence. */
const wordsOf = (...confidences: (number | null)[]): TranscribedWord[] =>
  confidences.map((confidence, second) => {
    return { text: 'word', startMs: second * 1_000, endMs: second * 1_000 + 900, confidence }
  })
const times = (count: number, confidence: number | null) => Array.from({ length: count }, () => confidence)
const span = (fromS: number, toS: number) => ({ startMs: fromS * 1_000, endMs: toS * 1_000 })

describe('isUnderstood', () => {
  it('draws the same line for a sentence and what is around it', () => {
    expect(isUnderstood(span(10, 20), wordsOf(...times(30, 0.5)))).toBe(true)
    expect(isUnderstood(span(10, 20), wordsOf(...times(30, 0.49)))).toBe(false)
    expect(isUnderstood(span(10, 20), wordsOf(...times(30, null)))).toBe(true)
  })

  it('keeps an unsure sentence amid understood speech, and at the end of it', () => {
    expect(isUnderstood(span(10, 14), wordsOf(...times(10, 0.8), ...times(4, 0.3), ...times(10, 0.8)))).toBe(true)
    expect(isUnderstood(span(10, 14), wordsOf(...times(10, 0.8), ...times(4, 0.3)))).toBe(true)
  })

  it('keeps the last sentence before noise, and leaves out the first of the noise', () => {
    const words = wordsOf(...times(10, 0.8), ...times(15, 0.3))
    expect(isUnderstood(span(5, 10), words)).toBe(true)
    expect(isUnderstood(span(10, 15), words)).toBe(false)
  })

  it('leaves out lucky words in noise', () => {
    expect(isUnderstood(span(10, 12), wordsOf(...times(10, 0.3), ...times(2, 0.9), ...times(10, 0.3)))).toBe(false)
  })
})
