import { estimateTokens } from '#worker/domain/prompt-data.ts'
import type { SaidSegment } from '#worker/ports/language-model.ts'
import { scoreBoundary } from './tidy-section.ts'

/** What a writer may look back on: granularity and topics do not need more, and it bounds the work per section. */
export const WINDOW_BEFORE_MS = 30 * 60_000
/** How far it may look ahead where captions exist, in segments: about half an hour. */
export const WINDOW_AFTER_SEGMENTS = 600

/**
 * Tokens of transcript per call. Llama 3.3 70B takes 24,000 in and out together; the prompt with the transcript before,
 * the answer and the repaired answer take the rest.
 */
export const STEP_WINDOW_MAX_TOKENS = 8_000

/** Narration of the sections, one after the other: short at first, so that the first steps are there soon. */
const SECTION_MS = [30_000, 60_000, 120_000, 150_000] as const
/** A section ends up to this part of its target earlier or later, where the place is better. */
const SEARCHED_SHARE = 0.25
/** What an end at the edge of the searched part loses against one at the target, in seconds of silence. */
const OFF_TARGET_PENALTY = 1
/** Segment number, time and line break. */
const TOKENS_PER_SEGMENT = 10

/**
 * Divides a narration that is known as a whole into sections whose steps are written one by one: of about 30, 60, 120
 * and then 150 seconds of speech, each ending at a long pause or the end of a sentence, none with more tokens than fit
 * one call of the model. Every segment is in exactly one section, in order; one that is too long by itself is a section
 * of its own. Pure.
 * @param segments in time order
 */
export function planSections(segments: readonly SaidSegment[]): SaidSegment[][] {
  const sections: SaidSegment[][] = []
  let from = 0
  while (from < segments.length) {
    const targetMs = SECTION_MS[Math.min(sections.length, SECTION_MS.length - 1)] as number
    const to = findEnd(segments, from, targetMs)
    sections.push(segments.slice(from, to))
    from = to
  }
  return sections
}

/** Index after the last segment of the section that begins at `from`. */
function findEnd(segments: readonly SaidSegment[], from: number, targetMs: number): number {
  const maxMs = targetMs * (1 + SEARCHED_SHARE)
  let best: { to: number; score: number } | null = null
  let spokenMs = 0
  let tokens = 0
  for (let to = from + 1; to <= segments.length; to += 1) {
    const last = segments[to - 1] as SaidSegment
    spokenMs += Math.max(0, last.endMs - last.startMs)
    tokens += estimateTokens(last.text) + TOKENS_PER_SEGMENT
    const isFull = to - from > 1 && (spokenMs > maxMs || tokens > STEP_WINDOW_MAX_TOKENS)
    if (isFull) return best?.to ?? to - 1
    const off = Math.abs(spokenMs / targetMs - 1) / SEARCHED_SHARE
    const score = scoreBoundary(to, segments) - OFF_TARGET_PENALTY * off
    if (off <= 1 && (best === null || score > best.score)) best = { to, score }
  }
  // The remaining segments fit into one section, which is better than a very short one at the end.
  return segments.length
}
