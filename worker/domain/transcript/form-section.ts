import { SEGMENT_MAX_CHARS } from '#contract/limits.ts'
import type { FormedSegment } from '#worker/db/schema.ts'
import { joinWords, type TranscribedWord } from '#worker/ports/speech-to-text.ts'
import { mergeWords, type TranscribedChunk } from './merge-words.ts'

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
function startOneByOne(words: TranscribedWord[]): TranscribedWord[] {
  let beforeMs = Number.NEGATIVE_INFINITY
  return words.map((word) => {
    beforeMs = Math.max(word.startMs, beforeMs + 1)
    return { ...word, startMs: beforeMs, endMs: Math.max(word.endMs, beforeMs) }
  })
}

/** Without punctuation a segment is as long as one spoken sentence usually is. */
const SPOKEN_MIN_MS = 2_000
const SPOKEN_MAX_MS = 12_000
/** A sentence longer than this is cut at its longest pause. */
export const SENTENCE_MAX_MS = 15_000
/** A pause between sentences in read how-to narration; fluent pauses inside one are about half as long. */
const PAUSE_MIN_MS = 400
const PAUSE_MAX_MS = 900
/** A narrator who pauses between all words: only what clearly exceeds the usual pause ends a sentence. */
const PAUSE_OVER_USUAL = 3
/** Speakers do not pause this long inside a sentence. */
const SILENCE_MS = 2_000
/** Spoken sentences have 10–25 words; with fewer ends than this per word, the recogniser does not punctuate. */
const WORDS_PER_SENTENCE_END_MAX = 60

function pauseAfter(words: TranscribedWord[], at: number): number {
  const word = words[at]
  const next = words[at + 1]
  return word === undefined || next === undefined ? 0 : next.startMs - word.endMs
}

function lengthMs(words: TranscribedWord[]): number {
  return (words.at(-1)?.endMs ?? 0) - (words[0]?.startMs ?? 0)
}

function isPunctuated(words: TranscribedWord[]): boolean {
  const ends = words.filter((word) => endsSentence(word.text)).length
  return ends > 0 && words.length / ends <= WORDS_PER_SENTENCE_END_MAX
}

function findSentencePause(words: TranscribedWord[]): number {
  const pauses = words
    .slice(1)
    .map((_, i) => pauseAfter(words, i))
    .sort((a, b) => a - b)
  const usualMs = pauses[Math.floor(pauses.length / 2)] ?? 0
  return Math.min(PAUSE_MAX_MS, Math.max(PAUSE_MIN_MS, usualMs * PAUSE_OVER_USUAL))
}

function cutAfter(words: TranscribedWord[], endsHere: (at: number) => boolean): TranscribedWord[][] {
  const groups: TranscribedWord[][] = []
  let from = 0
  words.forEach((_, at) => {
    if (at < words.length - 1 && !endsHere(at)) return
    groups.push(words.slice(from, at + 1))
    from = at + 1
  })
  return groups
}

/** Cuts at the longest pause, repeatedly; away from the ends where it can, so that no lone word is left. */
function cutToLength(words: TranscribedWord[], maxMs: number): TranscribedWord[][] {
  const done: TranscribedWord[][] = []
  const open = [words]
  for (let group = open.pop(); group !== undefined; group = open.pop()) {
    if (lengthMs(group) <= maxMs || group.length < 2) {
      done.push(group)
      continue
    }
    const at = findLongestPause(group)
    open.push(group.slice(at + 1), group.slice(0, at + 1))
  }
  return done
}

function findLongestPause(words: TranscribedWord[]): number {
  const startMs = words[0]?.startMs ?? 0
  const endMs = words.at(-1)?.endMs ?? 0
  const middleMs = (startMs + endMs) / 2
  let best = { at: Math.floor((words.length - 1) / 2), score: Number.NEGATIVE_INFINITY }
  words.slice(0, -1).forEach((word, at) => {
    const comma = /[,;:，、；]$/.test(word.text) ? PAUSE_MIN_MS : 0
    const leavesScrap = word.endMs - startMs < SPOKEN_MIN_MS || endMs - word.endMs < SPOKEN_MIN_MS
    const offCentre = Math.abs(word.endMs - middleMs) / (endMs - startMs + 1)
    const score = pauseAfter(words, at) + comma - offCentre - (leavesScrap ? SILENCE_MS : 0)
    if (score > best.score) best = { at, score }
  })
  return best.at
}

/** Joins what is too short to be a sentence to its neighbour, unless a silence lies between or it gets too long. */
function joinScraps(groups: TranscribedWord[][]): TranscribedWord[][] {
  const joined: TranscribedWord[][] = []
  for (const group of groups) {
    const before = joined.at(-1)
    const isScrap = before !== undefined && (lengthMs(before) < SPOKEN_MIN_MS || lengthMs(group) < SPOKEN_MIN_MS)
    const both = isScrap ? [...before, ...group] : group
    const silence = isScrap ? pauseAfter(both, before.length - 1) : 0
    if (isScrap && lengthMs(both) <= SPOKEN_MAX_MS && silence < SILENCE_MS) joined[joined.length - 1] = both
    else joined.push(group)
  }
  return joined
}

function tidyUnpunctuated(text: string): string {
  const withI = text.replace(/(^|\s)i(?=$|\s|'(?:m|ll|ve|d)\b)/g, '$1I')
  return withI.charAt(0).toUpperCase() + withI.slice(1)
}

/** Mean confidence 0–1 over the words of which it is known; null where it is known of none. */
export function meanConfidence(words: readonly Pick<TranscribedWord, 'confidence'>[]): number | null {
  const known = words.map((word) => word.confidence).filter((confidence) => confidence !== null)
  return known.length === 0 ? null : known.reduce((sum, value) => sum + value, 0) / known.length
}

/**
 * Mean confidence from which on a narration is clear. Clear how-to narration reached .78 with one word in seven wrong; a
 * screencast with one in sixteen wrong had sections of .83 to .89.
 */
const CLEAR_CONFIDENCE = 0.8
/** Confidence from which on a word is sure: in clear narration, and where the recogniser guesses more. */
const SURE_WORD = { clear: 0.5, rough: 0.9 }
/** A recogniser that rates whole sentences gives neighbouring words the same confidence, which says nothing of one word. */
const RATED_APART_SHARE = 0.5

/** The confidence from which on these words are sure. */
function findSureConfidence(words: readonly TranscribedWord[]): number {
  const apart = words.slice(1).filter(({ confidence }, at) => confidence !== words[at]?.confidence).length
  const isRough = (meanConfidence(words) ?? 1) < CLEAR_CONFIDENCE && apart > words.length * RATED_APART_SHARE
  return isRough ? SURE_WORD.rough : SURE_WORD.clear
}

/** From this share of unsure words on, a transcript is rough. */
const ROUGH_SHARE = 0.2

/** Checks whether so many words may not have been said that readers should know. Lines that a person corrected are sure. */
export function isRough(segments: readonly Pick<FormedSegment, 'text' | 'unsure'>[]): boolean {
  const wordCount = segments.reduce((sum, { text }) => sum + text.split(' ').length, 0)
  const unsureCount = segments.reduce((sum, { unsure = [] }) => sum + unsure.length, 0)
  return unsureCount > ROUGH_SHARE * wordCount
}

function toSegment(words: TranscribedWord[], text: string, sureConfidence: number): FormedSegment {
  const listBelow = (least: number) => words.flatMap(({ confidence }, at) => ((confidence ?? 1) < least ? [at] : []))
  const unsure = listBelow(sureConfidence)
  // Scripts without blanks have other words than their text shows.
  const isMarked = unsure.length > 0 && text.split(' ').length === words.length
  return {
    startMs: words[0]?.startMs ?? 0,
    endMs: words.at(-1)?.endMs ?? 0,
    text: text.slice(0, SEGMENT_MAX_CHARS).toWellFormed(),
    confidence: meanConfidence(words),
    ...(isMarked ? { unsure } : {}),
    ...(isMarked && sureConfidence === SURE_WORD.rough ? { guessed: listBelow(SURE_WORD.clear) } : {}),
  }
}

/**
 * Forms sentence-like segments out of words: at sentence ends where the recogniser punctuates, otherwise at pauses
 * that are long for this narrator (at least 0.4 s), 2–12 s each.
 * @param words in order, without overlap, as {@link mergeWords} returns them
 */
export function formSegments(words: TranscribedWord[]): FormedSegment[] {
  const textOf = (group: TranscribedWord[]) => joinWords(group.map((word) => word.text))
  const sureConfidence = findSureConfidence(words)
  if (isPunctuated(words)) {
    const sentences = cutAfter(
      words,
      (at) => endsSentence(words[at]?.text ?? '') || pauseAfter(words, at) >= SILENCE_MS,
    )
    return sentences
      .flatMap((sentence) => cutToLength(sentence, SENTENCE_MAX_MS))
      .map((group) => toSegment(group, textOf(group), sureConfidence))
  }
  const pauseMs = findSentencePause(words)
  const sections = cutAfter(words, (at) => pauseAfter(words, at) >= pauseMs)
  return joinScraps(sections.flatMap((section) => cutToLength(section, SPOKEN_MAX_MS))).map((group) =>
    toSegment(group, tidyUnpunctuated(textOf(group)), sureConfidence),
  )
}

/** Sentence signs of the scripts that recognisers and captions use, with a closing quote or bracket after them. */
const SENTENCE_END = /[.!?…。！？।؟۔][\p{Pf}\p{Pe}"'*♪]*$/u
/** "e.g.", "Dr.", a single letter: a point that ends no sentence. */
const ABBREVIATION = /(?:^|[\s("'“])(?:\p{L}|e\.g|i\.e|etc|vs|mr|mrs|ms|dr|prof|st|no|fig|approx)\.$/iu
/** Whether a sentence ends with this text. */
export function endsSentence(text: string): boolean {
  return SENTENCE_END.test(text) && !ABBREVIATION.test(text)
}
