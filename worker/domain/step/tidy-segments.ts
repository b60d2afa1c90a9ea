import type { SaidSegment } from '#worker/ports/step-writer.ts'

/** No recogniser or caption holds one line for longer; a segment that claims to is cut, so that steps can be split. */
const MAX_SEGMENT_MS = 240_000

/** Segments as steps can be built on: whole milliseconds, in time order, inside the video, not overlapping, not empty. */
export function orderSegments(segments: readonly SaidSegment[], durationMs: number | null): SaidSegment[] {
  const limitMs = durationMs !== null && durationMs > 0 ? Math.floor(durationMs) : Number.POSITIVE_INFINITY
  const seen = new Set<string>()
  const usable = segments
    .filter((segment) => isUsable(segment, limitMs) && !seen.has(segment.id) && seen.add(segment.id))
    .toSorted((left, right) => left.startMs - right.startMs)
  return usable.map((segment, index) => {
    const startMs = Math.max(0, Math.floor(segment.startMs))
    const nextMs = Math.max(0, Math.floor(usable[index + 1]?.startMs ?? limitMs))
    const endMs = Math.min(Math.floor(segment.endMs), startMs + MAX_SEGMENT_MS, nextMs, limitMs)
    return { ...segment, text: cleanText(segment.text), startMs, endMs: Math.max(startMs, endMs) }
  })
}

/** Joins the transcript of some segments to one line of text. */
export function joinText(segments: readonly SaidSegment[]): string {
  return segments.map((segment) => segment.text).join(' ')
}

function isUsable({ startMs, endMs, text }: SaidSegment, limitMs: number): boolean {
  const isTimed = Number.isFinite(startMs) && Number.isFinite(endMs) && endMs > 0
  return isTimed && startMs < limitMs && cleanText(text) !== ''
}

function cleanText(text: string): string {
  return text
    .toWellFormed()
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim()
}
