import { describe, expect, it } from 'vitest'
import { CAPTIONS_MAX_BYTES } from '#contract/limits.ts'
import { planSections, WINDOW_AFTER_SEGMENTS, WINDOW_BEFORE_MS } from '#worker/domain/step/plan-sections.ts'
import { parseCaptions } from '#worker/domain/transcript/parse-captions.ts'
import { segmentsFromCues } from '#worker/domain/transcript/segments-from-cues.ts'
import { writePressCaptions } from '#worker/domain/transcript/testing/press-captions.ts'
import type { SaidSegment } from '#worker/ports/language-model.ts'
import { readSentences } from './sentences.ts'
import { keepSpeakable, keepSpeakableAround } from './speakable.ts'

/** So many segments of so many seconds. */
function say(count: number, lengthS: number, text: string): SaidSegment[] {
  return Array.from({ length: count }, (_, at) => {
    return { id: `s${at}`, startMs: at * lengthS * 1_000, endMs: (at + 1) * lengthS * 1_000, text }
  })
}

const charsOf = (segments: readonly SaidSegment[]) => segments.reduce((sum, { text }) => sum + text.length, 0)

describe('keepSpeakable', () => {
  it('leaves a quick speaker as it is', () => {
    const quick = say(600, 4, 'Now turn the small screw to the left until it is loose. Then take it out.')
    expect(keepSpeakable(quick)).toEqual(quick)
  })

  it('leaves a step of five minutes without times as it is', () => {
    const step = say(1, 0, 'Now turn the small screw to the left. '.repeat(140).trim())
    expect(keepSpeakable(step)).toEqual(step)
  })

  it('leaves out words that cannot be said in their time, and no segment', () => {
    const dense = say(500, 1, 'press. '.repeat(280).trim())
    const kept = keepSpeakable(dense)
    expect(kept.map(({ id }) => id)).toEqual(dense.map(({ id }) => id))
    expect(charsOf(kept)).toBeLessThan(30_000 + 100 * 500)
  })
})

describe('keepSpeakableAround', () => {
  it('reads no more of a caption file of two megabytes than of the longest talk', { tags: 'attack-60' }, () => {
    const formed = segmentsFromCues(parseCaptions(writePressCaptions(CAPTIONS_MAX_BYTES)).cues)
    const segments = formed.map((segment, at) => ({ ...segment, id: `c-${at}` }))
    const sections = planSections(segments)
    let from = 0
    for (const section of sections) {
      const fromMs = (section[0]?.startMs ?? 0) - WINDOW_BEFORE_MS
      const to = from + section.length
      const before = segments.slice(0, from).filter(({ startMs }) => startMs >= fromMs)
      const after = segments.slice(to, to + WINDOW_AFTER_SEGMENTS)
      expect(readSentences(keepSpeakableAround(before, section, after)).length).toBeLessThan(2_500)
      from = to
    }
    expect(sections.length).toBeGreaterThan(60)
  })
})
