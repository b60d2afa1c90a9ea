import type { TimedWord } from '#worker/domain/transcript/align-words.ts'
import { type FormedSegment, formSegments } from '#worker/domain/transcript/form-segments.ts'
import { type HeardPart, mergeWords } from '#worker/domain/transcript/merge-words.ts'

/** What a stretch is formed from. */
export interface HeardStretch {
  /** Its parts, with those before it and the one after it, whose words are needed where they overlap. */
  parts: HeardPart[]
  /** Words before this belong to the stretch before. */
  fromMs: number
  /** Where the part after it begins; null when it is the last stretch. */
  borderMs: number | null
  /** Where its last part begins: a sentence that begins earlier is not left to the next stretch. */
  lastPartMs: number
}

/** The segments of one stretch, and where the next one takes over. */
export interface FormedStretch {
  segments: FormedSegment[]
  untilMs: number
}

/**
 * Forms the segments of one stretch. A sentence that is under way at its end is left whole to the next one. The result
 * depends on the words alone, never on when they were transcribed.
 */
export function formStretch({ parts, fromMs, borderMs, lastPartMs }: HeardStretch): FormedStretch {
  const endMs = borderMs ?? Number.POSITIVE_INFINITY
  const words = startOneByOne(mergeWords(parts)).filter((word) => word.startMs >= fromMs && word.startMs < endMs)
  const segments = formSegments(words)
  const last = segments.at(-1)
  if (borderMs === null) return { segments, untilMs: last?.endMs ?? fromMs }
  const isUnderWay = last !== undefined && segments.length > 1 && last.startMs >= lastPartMs
  if (!isUnderWay) return { segments, untilMs: borderMs }
  return { segments: segments.slice(0, -1), untilMs: last.startMs }
}

/** Words belong to stretches by their start times, so no two may start at once. */
function startOneByOne(words: TimedWord[]): TimedWord[] {
  let beforeMs = Number.NEGATIVE_INFINITY
  return words.map((word) => {
    beforeMs = Math.max(word.startMs, beforeMs + 1)
    return { ...word, startMs: beforeMs, endMs: Math.max(word.endMs, beforeMs) }
  })
}
