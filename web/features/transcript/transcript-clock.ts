import { useCallback, useSyncExternalStore } from 'react'
import type { TranscriptSegment } from '#contract/transcript.ts'

/** The video beside the transcript. Seconds. */
export interface TranscriptClock {
  /** Null while there is no video. */
  readTimeS: () => number | null
  subscribe: (listener: () => void) => () => void
}

/** A seek lands up to a frame before the line that was pressed. */
const SEEK_SLACK_S = 0.1

/** Finds the line at a moment, or the last one before it; null before the first. Lines are in order of time. */
export function findLineNow(segments: readonly TranscriptSegment[], timeS: number): string | null {
  return segments.findLast((segment) => segment.start <= timeS + SEEK_SLACK_S)?.id ?? null
}

/** Renders only when the current line changes. Null until the video has begun, so that nothing is marked before. */
export function useLineNow(segments: readonly TranscriptSegment[], clock: TranscriptClock): string | null {
  const { readTimeS, subscribe } = clock
  const read = useCallback(() => {
    const timeS = readTimeS()
    return timeS === null || timeS === 0 ? null : findLineNow(segments, timeS)
  }, [segments, readTimeS])
  return useSyncExternalStore(subscribe, read)
}
