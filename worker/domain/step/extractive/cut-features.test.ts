import { describe, expect, it } from 'vitest'
import { measurePauses } from './cut-features.ts'
import { readSentences } from './sentences.ts'

/** Sentences of two seconds, each after a silence of so many milliseconds. */
function speakAfter(gapsMs: readonly number[]) {
  let atMs = 0
  return readSentences(
    gapsMs.map((gapMs, index) => {
      const startMs = atMs + gapMs
      atMs = startMs + 2_000
      return { id: `s${index}`, startMs, endMs: atMs, text: 'Say it.' }
    }),
  )
}

describe('measurePauses', () => {
  it('measures silence against the usual pause of the recording', () => {
    const pauses = measurePauses(speakAfter([0, 400, 400, 2_800, 400]))
    expect(pauses[3]).toBe(3)
    expect(pauses[1]).toBe(1)
  })

  it('does not count the first sentence, before which nothing is said, as joined to another', () => {
    const joined = Array.from({ length: 7 }, () => 0)
    expect(measurePauses(speakAfter([0, ...joined, 400, 400, 400])).at(-1)).toBe(1)
  })

  it('trusts no gap where most times were interpolated', () => {
    expect(measurePauses(speakAfter([0, 0, 0, 0, 2_000, 0]))).toEqual([0, 0, 0, 0, 0, 0])
  })
})
