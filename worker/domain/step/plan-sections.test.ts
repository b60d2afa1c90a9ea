import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { estimateTokens } from '#worker/domain/prompt-data.ts'
import type { SaidSegment } from '#worker/ports/language-model.ts'
import { planSections, STEP_WINDOW_MAX_TOKENS } from './plan-sections.ts'

interface Piece {
  lengthMs: number
  pauseMs: number
  text: string
}

function segmentsOf(pieces: readonly Piece[]): SaidSegment[] {
  let atMs = 0
  return pieces.map(({ lengthMs, pauseMs, text }, index) => {
    const startMs = atMs + pauseMs
    atMs = startMs + lengthMs
    return { id: `s${index}`, startMs, endMs: atMs, text }
  })
}

function speak(count: number, piece: Partial<Piece> = {}): Piece[] {
  return Array.from({ length: count }, () => ({ lengthMs: 5_000, pauseMs: 0, text: 'and so it goes on', ...piece }))
}

function spokenS(section: readonly SaidSegment[]): number {
  return section.reduce((sum, segment) => sum + segment.endMs - segment.startMs, 0) / 1_000
}

describe('planSections', () => {
  it('begins with short sections, so that the first steps are there soon', () => {
    expect(planSections(segmentsOf(speak(150))).map(spokenS)).toEqual([30, 60, 120, 150, 150, 150, 90])
  })

  it('counts speech, not silence', () => {
    expect(planSections(segmentsOf(speak(18, { pauseMs: 60_000 }))).map(spokenS)).toEqual([30, 60])
  })

  it('leaves no scrap at the end', () => {
    expect(planSections(segmentsOf(speak(19))).map(spokenS)).toEqual([30, 65])
  })

  it('ends where the speaker pauses or ends a sentence, near the target', () => {
    const pieces = speak(40).map((piece, index) => {
      if (index === 5) return { ...piece, text: 'That is the end.' }
      return index === 20 ? { ...piece, pauseMs: 2_000 } : piece
    })
    pieces[6] = { ...(pieces[6] as Piece), text: 'Near, too.' }
    const [first, second] = planSections(segmentsOf(pieces))
    expect([first?.at(-1)?.id, second?.at(-1)?.id]).toEqual(['s5', 's19'])
  })

  it('keeps every segment once and in order, in sections that fit one call', () => {
    const piece = fc.record({
      lengthMs: fc.integer({ min: 0, max: 200_000 }),
      pauseMs: fc.nat(5_000),
      text: fc.oneof(
        fc.string({ maxLength: 40 }),
        fc.nat(40_000).map((length) => 'x'.repeat(length)),
      ),
    })
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 120 }), (pieces) => {
        const segments = segmentsOf(pieces)
        const sections = planSections(segments)
        expect(sections.flat()).toEqual(segments)
        for (const section of sections) {
          const tokens = section.reduce((sum, segment) => sum + estimateTokens(segment.text) + 10, 0)
          expect(section.length === 1 || (section.length > 1 && tokens <= STEP_WINDOW_MAX_TOKENS)).toBe(true)
          expect(section.length === 1 || spokenS(section) <= 190).toBe(true)
        }
      }),
    )
  })
})
