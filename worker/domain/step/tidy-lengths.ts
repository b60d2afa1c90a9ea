import type { SaidSegment } from '#worker/ports/step-writer.ts'
import { scoreBoundary } from './score-boundary.ts'
import { MAX_STEP_MS, MIN_STEP_MS, type StepRange } from './tidy-range.ts'

/** How much a boundary away from the middle loses against a pause of one second or the end of a sentence. */
const OFF_CENTRE_PENALTY = 4

/**
 * Joins steps that are too short to their neighbour before them, or after them at the very start. The last step, and a
 * first one that continues an earlier step, keep their boundaries: they may be parts of a longer step.
 */
export function mergeShortRanges(ranges: readonly StepRange[], segments: readonly SaidSegment[]): StepRange[] {
  const merged: StepRange[] = []
  for (const range of ranges) {
    const previous = merged.at(-1)
    const isPreviousShort = previous !== undefined && isTooShort(previous, segments)
    const isShort = isTooShort(range, segments) && range.to < segments.length
    const isJoined = previous !== undefined && !isOpenStart(previous) && (isPreviousShort || isShort)
    if (isJoined) merged[merged.length - 1] = join(previous, range, isPreviousShort)
    else merged.push(range)
  }
  return merged
}

function isOpenStart(range: StepRange): boolean {
  return range.from === 0 && range.draft?.continues === true
}

function isTooShort(range: StepRange, segments: readonly SaidSegment[]): boolean {
  return lengthMs(range, segments) < MIN_STEP_MS
}

function join(previous: StepRange, next: StepRange, isPreviousShort: boolean): StepRange {
  const draft = isPreviousShort ? (next.draft ?? previous.draft) : (previous.draft ?? next.draft)
  return { from: previous.from, to: next.to, draft }
}

/** Splits steps that would be too long, at the best boundary between segments; later parts carry no draft. */
export function splitLongRanges(ranges: readonly StepRange[], segments: readonly SaidSegment[]): StepRange[] {
  return ranges.flatMap((range) => {
    const boundary = findBoundary(range, segments)
    if (boundary === null) return [range]
    const parts = [
      { ...range, to: boundary },
      { from: boundary, to: range.to, draft: null },
    ]
    return splitLongRanges(parts, segments)
  })
}

/** Where to split a range; null when it is short enough, or has no boundary that leaves two legal steps. */
function findBoundary(range: StepRange, segments: readonly SaidSegment[]): number | null {
  const startMs = segments[range.from]?.startMs ?? 0
  const spokenMs = (segments[range.to - 1]?.endMs ?? startMs) - startMs
  if (spokenMs <= MAX_STEP_MS) return null
  let best: { boundary: number; score: number } | null = null
  for (let boundary = range.from + 1; boundary < range.to; boundary += 1) {
    const leftMs = (segments[boundary]?.startMs ?? 0) - startMs
    const rightMs = lengthMs({ ...range, from: boundary }, segments)
    if (leftMs < MIN_STEP_MS || rightMs < MIN_STEP_MS) continue
    const score = scoreBoundary(boundary, segments) - OFF_CENTRE_PENALTY * Math.abs(leftMs / spokenMs - 0.5)
    if (best === null || score > best.score) best = { boundary, score }
  }
  return best?.boundary ?? null
}

/** Until the next range starts; of the last one, until its last segment ends. */
function lengthMs(range: StepRange, segments: readonly SaidSegment[]): number {
  const endMs = segments[range.to]?.startMs ?? segments.at(-1)?.endMs ?? 0
  return endMs - (segments[range.from]?.startMs ?? 0)
}
