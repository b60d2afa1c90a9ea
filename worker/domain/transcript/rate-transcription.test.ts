import { describe, expect, it } from 'vitest'
import { rateTranscription as judge, type TranscribedSums, type Transcription } from './rate-transcription.ts'

function chunk(wordCount: number, confidence: number | null, durationMs = 30_000): TranscribedSums {
  const spokenMs = wordCount > 0 ? durationMs : 0
  return { transcribedMs: durationMs, spokenMs, wordCount, confidenceSum: wordCount * (confidence ?? 1) }
}

const NOTHING: TranscribedSums = { transcribedMs: 0, spokenMs: 0, wordCount: 0, confidenceSum: 0 }

function rateTranscription(chunks: TranscribedSums[], options: { isComplete: boolean }): Transcription {
  const sum = (a: TranscribedSums, b: TranscribedSums): TranscribedSums => ({
    transcribedMs: a.transcribedMs + b.transcribedMs,
    spokenMs: a.spokenMs + b.spokenMs,
    wordCount: a.wordCount + b.wordCount,
    confidenceSum: a.confidenceSum + b.confidenceSum,
  })
  return judge(chunks.reduce(sum, NOTHING), options)
}

const SOME = { isComplete: false }
const ALL = { isComplete: true }

describe('rateTranscription', () => {
  it('waits for 55 s of speech before it gives up', () => {
    expect(rateTranscription([], SOME)).toBe('undecided')
    expect(rateTranscription([chunk(40, 0.3)], SOME)).toBe('undecided')
    expect(rateTranscription([chunk(40, 0.3), chunk(40, 0.3, 24_999)], SOME)).toBe('undecided')
    expect(rateTranscription([chunk(40, 0.3), chunk(40, 0.3, 25_000)], SOME)).toBe('not_understood')
  })

  it('draws the line at a mean word confidence of 0.5', () => {
    expect(rateTranscription([chunk(40, 0.5), chunk(40, 0.5)], SOME)).toBe('understood')
    expect(rateTranscription([chunk(40, 0.49), chunk(40, 0.5)], SOME)).toBe('not_understood')
  })

  it('weighs chunks by their words', () => {
    expect(rateTranscription([chunk(90, 0.7), chunk(10, 0.1)], ALL)).toBe('understood')
    expect(rateTranscription([chunk(10, 0.7), chunk(90, 0.1)], ALL)).toBe('not_understood')
  })

  it('trusts a recogniser that reports no confidence', () => {
    expect(rateTranscription([chunk(40, null), chunk(40, null)], SOME)).toBe('understood')
  })

  it('does not count silence as speech that was not understood', () => {
    expect(rateTranscription([chunk(40, 0.3), chunk(0, null), chunk(0, null)], SOME)).toBe('undecided')
  })

  it('judges a short recording once it is complete', () => {
    expect(rateTranscription([chunk(20, 0.3, 10_000)], ALL)).toBe('not_understood')
    expect(rateTranscription([chunk(20, 0.8, 10_000)], ALL)).toBe('understood')
  })

  it('finds no narration in silence and in a few stray words, only when complete', () => {
    expect(rateTranscription([], ALL)).toBe('no_narration')
    expect(rateTranscription([chunk(0, null), chunk(0, null)], ALL)).toBe('no_narration')
    expect(rateTranscription([chunk(2, 0.9), chunk(0, null)], ALL)).toBe('no_narration')
    expect(rateTranscription([chunk(3, 0.9), chunk(0, null)], ALL)).toBe('understood')
    expect(rateTranscription([chunk(0, null), chunk(0, null)], SOME)).toBe('undecided')
  })
})
