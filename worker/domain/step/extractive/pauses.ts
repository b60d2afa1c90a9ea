import type { Sentence } from './sentences.ts'

/** Below this a gap is rounding of the times, not silence. */
const SILENCE_MS = 60
/** A recording whose sentences join without silence more often than this has made-up or snapped times. */
const MAX_JOINED_SHARE = 0.7

/**
 * How remarkable the silence before each sentence is, 0–3: its length against this recording's usual pause.
 * All zero where the times between segments were interpolated, since such gaps say nothing.
 */
export function measurePauses(sentences: readonly Sentence[]): number[] {
  const gaps = sentences.slice(1).map((sentence) => sentence.gapMs)
  const joined = gaps.filter((gap) => gap < SILENCE_MS).length
  if (joined > gaps.length * MAX_JOINED_SHARE) return sentences.map(() => 0)
  const usual = median(gaps.filter((gap) => gap >= SILENCE_MS))
  return sentences.map((sentence) => Math.min(3, Math.log2(1 + sentence.gapMs / Math.max(usual, SILENCE_MS))))
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((left, right) => left - right)
  return sorted[Math.floor(sorted.length / 2)] ?? 0
}
