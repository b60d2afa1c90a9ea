import type { TimedWord } from '#worker/domain/transcript/align-words.ts'
import { type FormedSegment, formSegments } from '#worker/domain/transcript/form-segments.ts'
import { mergeWords, type TranscribedChunk } from '#worker/domain/transcript/merge-words.ts'

/** What a section is formed from. */
export interface TranscribedSection {
  /** Its chunks, with those before it and the one after it, whose words are needed where they overlap. */
  chunks: TranscribedChunk[]
  /** Words before this belong to the section before. */
  fromMs: number
  /** Where the chunk after it begins; null when it is the last section. */
  boundaryMs: number | null
  /** Where its last chunk begins: a sentence that begins earlier is not left to the next section. */
  lastChunkMs: number
}

/** The segments of one section, and where the next one takes over. */
export interface FormedSection {
  segments: FormedSegment[]
  untilMs: number
}

/**
 * Forms the segments of one section. A sentence that is under way at its end is left whole to the next one. The result
 * depends on the words alone, never on when they were transcribed.
 */
export function formSection({ chunks, fromMs, boundaryMs, lastChunkMs }: TranscribedSection): FormedSection {
  const endMs = boundaryMs ?? Number.POSITIVE_INFINITY
  const words = startOneByOne(mergeWords(chunks)).filter((word) => word.startMs >= fromMs && word.startMs < endMs)
  const segments = formSegments(words)
  const last = segments.at(-1)
  if (boundaryMs === null) return { segments, untilMs: last?.endMs ?? fromMs }
  const isUnderWay = last !== undefined && segments.length > 1 && last.startMs >= lastChunkMs
  if (!isUnderWay) return { segments, untilMs: boundaryMs }
  return { segments: segments.slice(0, -1), untilMs: last.startMs }
}

/** Words belong to sections by their start times, so no two may start at once. */
function startOneByOne(words: TimedWord[]): TimedWord[] {
  let beforeMs = Number.NEGATIVE_INFINITY
  return words.map((word) => {
    beforeMs = Math.max(word.startMs, beforeMs + 1)
    return { ...word, startMs: beforeMs, endMs: Math.max(word.endMs, beforeMs) }
  })
}
