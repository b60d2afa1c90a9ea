import type { SaidSegment } from '#worker/ports/step-writer.ts'
import { MAX_STEP_MS, MIN_STEP_MS, type StepRange } from './tidy-range.ts'

/** How much a border away from the middle loses against a pause of one second or the end of a sentence. */
const SENTENCE_END_BONUS = 1
const MAX_PAUSE_BONUS = 3
const OFF_CENTRE_PENALTY = 4

/** Joins steps that are too short to their neighbour before them, or after them at the very start. */
export function mergeShortRanges(
  ranges: readonly StepRange[],
  segments: readonly SaidSegment[],
  videoEndMs: number,
): StepRange[] {
  const merged: StepRange[] = []
  for (const range of ranges) {
    const previous = merged.at(-1)
    const isPreviousShort = previous !== undefined && lengthMs(previous, segments, videoEndMs) < MIN_STEP_MS
    const isShort = lengthMs(range, segments, videoEndMs) < MIN_STEP_MS
    if (previous === undefined || !(isPreviousShort || isShort)) merged.push(range)
    else merged[merged.length - 1] = join(previous, range, isPreviousShort)
  }
  return merged
}

function join(previous: StepRange, next: StepRange, isPreviousShort: boolean): StepRange {
  const draft = isPreviousShort ? (next.draft ?? previous.draft) : (previous.draft ?? next.draft)
  return { from: previous.from, to: next.to, draft }
}

/** Splits steps that would be too long, at the best border between segments; later parts carry no draft. */
export function splitLongRanges(
  ranges: readonly StepRange[],
  segments: readonly SaidSegment[],
  videoEndMs: number,
): StepRange[] {
  return ranges.flatMap((range) => {
    const border = findBorder(range, segments, videoEndMs)
    if (border === null) return [range]
    const parts = [
      { ...range, to: border },
      { from: border, to: range.to, draft: null },
    ]
    return splitLongRanges(parts, segments, videoEndMs)
  })
}

/** Where to split a range; null when it is short enough, or has no border that leaves two legal steps. */
function findBorder(range: StepRange, segments: readonly SaidSegment[], videoEndMs: number): number | null {
  const startMs = segments[range.from]?.startMs ?? 0
  const spokenMs = (segments[range.to - 1]?.endMs ?? startMs) - startMs
  if (spokenMs <= MAX_STEP_MS) return null
  let best: { border: number; score: number } | null = null
  for (let border = range.from + 1; border < range.to; border += 1) {
    const leftMs = (segments[border]?.startMs ?? 0) - startMs
    const rightMs = lengthMs({ ...range, from: border }, segments, videoEndMs)
    if (leftMs < MIN_STEP_MS || rightMs < MIN_STEP_MS) continue
    const score = scoreBorder(border, segments) - OFF_CENTRE_PENALTY * Math.abs(leftMs / spokenMs - 0.5)
    if (best === null || score > best.score) best = { border, score }
  }
  return best?.border ?? null
}

function scoreBorder(border: number, segments: readonly SaidSegment[]): number {
  const before = segments[border - 1]
  const pauseS = ((segments[border]?.startMs ?? 0) - (before?.endMs ?? 0)) / 1_000
  const endsSentence = /[.?!…]["'”’)\]]*$/.test(before?.text ?? '')
  return Math.min(MAX_PAUSE_BONUS, pauseS) + (endsSentence ? SENTENCE_END_BONUS : 0)
}

function lengthMs(range: StepRange, segments: readonly SaidSegment[], videoEndMs: number): number {
  return (segments[range.to]?.startMs ?? videoEndMs) - (segments[range.from]?.startMs ?? 0)
}
