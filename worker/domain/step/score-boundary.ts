import type { SaidSegment } from '#worker/ports/step-writer.ts'

const SENTENCE_END_BONUS = 1
const MAX_PAUSE_BONUS = 3

/** How good a place to divide lies before a segment: seconds of silence up to three, and one for the end of a sentence. */
export function scoreBoundary(boundary: number, segments: readonly SaidSegment[]): number {
  const before = segments[boundary - 1]
  const pauseS = ((segments[boundary]?.startMs ?? 0) - (before?.endMs ?? 0)) / 1_000
  const endsSentence = /[.?!…]["'”’)\]]*$/.test(before?.text ?? '')
  return Math.min(MAX_PAUSE_BONUS, pauseS) + (endsSentence ? SENTENCE_END_BONUS : 0)
}
