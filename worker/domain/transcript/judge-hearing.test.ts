import { describe, expect, it } from 'vitest'
import { type HeardSums, type Hearing, judgeHearing as judge } from './judge-hearing.ts'

function part(wordCount: number, confidence: number | null, durationMs = 30_000): HeardSums {
  const spokenMs = wordCount > 0 ? durationMs : 0
  return { heardMs: durationMs, spokenMs, wordCount, confidenceSum: wordCount * (confidence ?? 1) }
}

const NOTHING: HeardSums = { heardMs: 0, spokenMs: 0, wordCount: 0, confidenceSum: 0 }

function judgeHearing(parts: HeardSums[], options: { isComplete: boolean }): Hearing {
  const sum = (a: HeardSums, b: HeardSums): HeardSums => ({
    heardMs: a.heardMs + b.heardMs,
    spokenMs: a.spokenMs + b.spokenMs,
    wordCount: a.wordCount + b.wordCount,
    confidenceSum: a.confidenceSum + b.confidenceSum,
  })
  return judge(parts.reduce(sum, NOTHING), options)
}

const SOME = { isComplete: false }
const ALL = { isComplete: true }

describe('judgeHearing', () => {
  it('waits for 55 s of speech before it gives up', () => {
    expect(judgeHearing([], SOME)).toBe('undecided')
    expect(judgeHearing([part(40, 0.3)], SOME)).toBe('undecided')
    expect(judgeHearing([part(40, 0.3), part(40, 0.3, 24_999)], SOME)).toBe('undecided')
    expect(judgeHearing([part(40, 0.3), part(40, 0.3, 25_000)], SOME)).toBe('not_understood')
  })

  it('draws the line at a mean word confidence of 0.5', () => {
    expect(judgeHearing([part(40, 0.5), part(40, 0.5)], SOME)).toBe('understood')
    expect(judgeHearing([part(40, 0.49), part(40, 0.5)], SOME)).toBe('not_understood')
  })

  it('weighs parts by their words', () => {
    expect(judgeHearing([part(90, 0.7), part(10, 0.1)], ALL)).toBe('understood')
    expect(judgeHearing([part(10, 0.7), part(90, 0.1)], ALL)).toBe('not_understood')
  })

  it('trusts a recogniser that reports no confidence', () => {
    expect(judgeHearing([part(40, null), part(40, null)], SOME)).toBe('understood')
  })

  it('does not count silence as speech that was not understood', () => {
    expect(judgeHearing([part(40, 0.3), part(0, null), part(0, null)], SOME)).toBe('undecided')
  })

  it('judges a short recording once it is complete', () => {
    expect(judgeHearing([part(20, 0.3, 10_000)], ALL)).toBe('not_understood')
    expect(judgeHearing([part(20, 0.8, 10_000)], ALL)).toBe('understood')
  })

  it('finds no narration in silence and in a few stray words, only when complete', () => {
    expect(judgeHearing([], ALL)).toBe('no_narration')
    expect(judgeHearing([part(0, null), part(0, null)], ALL)).toBe('no_narration')
    expect(judgeHearing([part(2, 0.9), part(0, null)], ALL)).toBe('no_narration')
    expect(judgeHearing([part(3, 0.9), part(0, null)], ALL)).toBe('understood')
    expect(judgeHearing([part(0, null), part(0, null)], SOME)).toBe('undecided')
  })
})
