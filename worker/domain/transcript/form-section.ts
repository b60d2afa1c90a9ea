import type { FormedSegment } from '#worker/db/schema.ts'
import { type TranscribedWord } from '#worker/ports/speech-to-text.ts'
import { formSegments } from './form-segments.ts'
import { mergeWords, type TranscribedChunk } from './merge-words.ts'
import { isUnderstood } from './rate-transcription.ts'

/**
 * Chunks of the first sections: ten seconds, nearly a minute, two minutes. A short first section is transcribed and
 * written before a long recording is even cut, so that the first step is there while the rest is being transcribed.
 */
const FIRST_SECTIONS = [1, 2, 4]
/** Parts of all later sections: two and a half minutes, whose answer the model writes in a few seconds. */
const CHUNKS_PER_SECTION = 5

/** A sentence that is left to a section begins one chunk before it, and its first words may be one chunk earlier. */
const CHUNKS_BEFORE = 2

const FIRST_CHUNKS = FIRST_SECTIONS.reduce((sum, chunks) => sum + chunks, 0)

/** The parts of a section: from the first to before `to`. The last section of a recording may end earlier. */
export function chunksOfSection(section: number): { from: number; to: number } {
  if (section < FIRST_SECTIONS.length) {
    const from = FIRST_SECTIONS.slice(0, section).reduce((sum, chunks) => sum + chunks, 0)
    return { from, to: from + (FIRST_SECTIONS[section] ?? 0) }
  }
  const from = FIRST_CHUNKS + (section - FIRST_SECTIONS.length) * CHUNKS_PER_SECTION
  return { from, to: from + CHUNKS_PER_SECTION }
}

/** Which chunks a section is formed from. */
export interface SectionChunks {
  /** Its own, from the first to before `to`. */
  from: number
  to: number
  /** All whose words have to be known: its own and their neighbours. */
  firstNeeded: number
  lastNeeded: number
  /** Nothing follows it. */
  isLast: boolean
}

/** @param chunkCount null until the whole source has been cut */
export function planFormation(section: number, chunkCount: number | null): SectionChunks {
  const { from, to } = chunksOfSection(section)
  const isLast = chunkCount !== null && to >= chunkCount
  const lastNeeded = isLast ? chunkCount - 1 : to
  return { from, to, firstNeeded: Math.max(0, from - CHUNKS_BEFORE), lastNeeded, isLast }
}

/** How many sections so many chunks make; 1 for none. */
export function countSections(chunkCount: number): number {
  let sections = 1
  while (chunksOfSection(sections).from < chunkCount) sections += 1
  return sections
}

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
 * Forms the segments of one section, without what is not understood. A sentence that is under way at its end is left
 * whole to the next one. The result depends on the words alone, never on when they were transcribed.
 */
export function formSection({ chunks, fromMs, boundaryMs, lastChunkMs }: TranscribedSection): FormedSection {
  const endMs = boundaryMs ?? Number.POSITIVE_INFINITY
  const heardWords = startOneByOne(mergeWords(chunks))
  const words = heardWords.filter((word) => word.startMs >= fromMs && word.startMs < endMs)
  const segments = formSegments(words)
  const last = segments.at(-1)
  const isUnderWay = last !== undefined && segments.length > 1 && last.startMs >= lastChunkMs && boundaryMs !== null
  const ownSegments = isUnderWay ? segments.slice(0, -1) : segments
  const untilMs = isUnderWay ? last.startMs : (boundaryMs ?? last?.endMs ?? fromMs)
  const understood = ownSegments.filter((segment) => isUnderstood(segment, heardWords))
  if (understood.length === ownSegments.length) return { segments: ownSegments, untilMs }
  // Noise also changes which words are unsure and where sentences end, so the rest is formed as if it were alone.
  return { segments: formSegments(wordsOf(understood, segments, words)), untilMs }
}

/** The words of some of the segments that were formed of all of them. */
function wordsOf(some: readonly FormedSegment[], segments: readonly FormedSegment[], words: TranscribedWord[]) {
  return words.filter((word) => {
    const own = segments.findLast(({ startMs }) => startMs <= word.startMs)
    return own !== undefined && some.includes(own)
  })
}

/** Words belong to sections by their start times, so no two may start at once. */
function startOneByOne(words: TranscribedWord[]): TranscribedWord[] {
  let beforeMs = Number.NEGATIVE_INFINITY
  return words.map((word) => {
    beforeMs = Math.max(word.startMs, beforeMs + 1)
    return { ...word, startMs: beforeMs, endMs: Math.max(word.endMs, beforeMs) }
  })
}
