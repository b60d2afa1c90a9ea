import { SEGMENT_MAX_CHARS } from '#contract/limits.ts'
import type { FormedSegment } from '#worker/db/schema.ts'
import { joinWords, type TranscribedWord } from '#worker/ports/speech-to-text.ts'
import { meanConfidence } from './mean-confidence.ts'

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

function pauseAfter(words: TranscribedWord[], index: number): number {
  const word = words[index]
  const next = words[index + 1]
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

function cutAfter(words: TranscribedWord[], endsHere: (index: number) => boolean): TranscribedWord[][] {
  const groups: TranscribedWord[][] = []
  let from = 0
  words.forEach((_, index) => {
    if (index < words.length - 1 && !endsHere(index)) return
    groups.push(words.slice(from, index + 1))
    from = index + 1
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
    const pauseIndex = findLongestPause(group)
    open.push(group.slice(pauseIndex + 1), group.slice(0, pauseIndex + 1))
  }
  return done
}

function findLongestPause(words: TranscribedWord[]): number {
  const startMs = words[0]?.startMs ?? 0
  const endMs = words.at(-1)?.endMs ?? 0
  const middleMs = (startMs + endMs) / 2
  let best = { index: Math.floor((words.length - 1) / 2), score: Number.NEGATIVE_INFINITY }
  words.slice(0, -1).forEach((word, index) => {
    const comma = /[,;:，、；]$/.test(word.text) ? PAUSE_MIN_MS : 0
    const leavesScrap = word.endMs - startMs < SPOKEN_MIN_MS || endMs - word.endMs < SPOKEN_MIN_MS
    const offCentre = Math.abs(word.endMs - middleMs) / (endMs - startMs + 1)
    const score = pauseAfter(words, index) + comma - offCentre - (leavesScrap ? SILENCE_MS : 0)
    if (score > best.score) best = { index, score }
  })
  return best.index
}

/** Joins groups that are too short for a sentence to a neighbour, unless a silence or the longest length forbids it. */
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
  const apart = words.slice(1).filter(({ confidence }, index) => confidence !== words[index]?.confidence).length
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
  const listBelow = (least: number) =>
    words.flatMap(({ confidence }, index) => ((confidence ?? 1) < least ? [index] : []))
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
      (index) => endsSentence(words[index]?.text ?? '') || pauseAfter(words, index) >= SILENCE_MS,
    )
    return sentences
      .flatMap((sentence) => cutToLength(sentence, SENTENCE_MAX_MS))
      .map((group) => toSegment(group, textOf(group), sureConfidence))
  }
  const pauseMs = findSentencePause(words)
  const sections = cutAfter(words, (index) => pauseAfter(words, index) >= pauseMs)
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
