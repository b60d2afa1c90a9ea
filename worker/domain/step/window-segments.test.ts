import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { estimateTokens, windowSegments } from './window-segments.ts'

function segmentsOf(draws: { chars: number; pauseMs: number }[]) {
  let atMs = 0
  return draws.map(({ chars, pauseMs }, i) => {
    const startMs = atMs + pauseMs
    atMs = startMs + 1_000
    return { id: `s${i}`, startMs, endMs: atMs, text: 'x'.repeat(chars) }
  })
}

describe('windowSegments', () => {
  it('keeps every segment once and in order, in windows that fit', () => {
    const draw = fc.record({ chars: fc.integer({ min: 0, max: 800 }), pauseMs: fc.nat(3_000) })
    fc.assert(
      fc.property(fc.array(draw, { maxLength: 200 }), fc.integer({ min: 20, max: 2_000 }), (draws, maxTokens) => {
        const segments = segmentsOf(draws)
        const windows = windowSegments(segments, { maxTokens })
        expect(windows.flat()).toEqual(segments)
        for (const window of windows) {
          const tokens = window.reduce((sum, segment) => sum + estimateTokens(segment.text) + 10, 0)
          expect(window.length === 1 || (window.length > 1 && tokens <= maxTokens)).toBe(true)
        }
      }),
    )
  })

  it('cuts at the longest pause of the second half', () => {
    const pauses = [0, 9_000, 0, 0, 0, 0, 0, 2_000, 0, 0, 0, 0]
    const segments = segmentsOf(pauses.map((pauseMs) => ({ chars: 360, pauseMs })))
    expect(windowSegments(segments, { maxTokens: 1_000 }).map((window) => window.length)).toEqual([7, 5])
  })

  it('fills windows where no pause is longer than another', () => {
    const segments = segmentsOf(Array.from({ length: 25 }, () => ({ chars: 360, pauseMs: 0 })))
    expect(windowSegments(segments, { maxTokens: 1_000 }).map((window) => window.length)).toEqual([10, 10, 5])
  })

  it('takes half an hour of speech at once', () => {
    const halfHour = segmentsOf(Array.from({ length: 360 }, () => ({ chars: 45, pauseMs: 0 })))
    expect(windowSegments(halfHour)).toHaveLength(1)
    expect(windowSegments([...halfHour, ...halfHour])).toHaveLength(2)
    expect(windowSegments([])).toEqual([])
  })
})

describe('estimateTokens', () => {
  it('counts four Latin characters, but each character of another script, as a token', () => {
    expect(estimateTokens('click on the menu')).toBe(5)
    expect(estimateTokens('क्लिक')).toBe(5)
  })
})
