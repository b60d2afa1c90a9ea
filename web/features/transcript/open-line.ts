import type { OrphanedCorrection, TranscriptSegment } from '#contract/transcript.ts'

/** The line that is open, with what has been typed in it. */
export interface OpenLine {
  id: string
  /** Start of the segment, seconds. */
  start: number
  end: number
  /** What it began with. */
  text: string
  draft: string
}

/** A line to be opened as it is. */
export function openSegment({ id, start, end, text }: TranscriptSegment): OpenLine {
  return { id, start, end, text, draft: text }
}

/** Opens the line at the moment of a correction, with the correction's text. */
export function openOrphaned(segments: readonly TranscriptSegment[], orphaned: OrphanedCorrection): OpenLine | null {
  const segment = findSaidAt(segments, orphaned)
  return segment === undefined ? null : { ...openSegment(segment), text: orphaned.text, draft: orphaned.text }
}

/** Finds the segment of an open line; by its moment after another run, which gives segments new ids. */
export function findSegmentOf(segments: readonly TranscriptSegment[], line: OpenLine): TranscriptSegment | undefined {
  return segments.find(({ id, start }) => id === line.id && start === line.start) ?? findSaidAt(segments, line)
}

/** What of a draft is saved. */
export function tidyDraft(draft: string): string {
  return draft.replace(/\s+/g, ' ').trim()
}

function findSaidAt(segments: readonly TranscriptSegment[], { start, end }: { start: number; end: number }) {
  const middle = (start + end) / 2
  return segments.find((segment) => segment.end >= middle) ?? segments.at(-1)
}
