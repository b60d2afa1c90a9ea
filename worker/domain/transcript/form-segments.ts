import { CAPTION_CUES_MAX, SEGMENT_MAX_CHARS } from '#contract/limits.ts'
import type { FormedSegment } from '#worker/db/schema.ts'
import { meanConfidence, type TranscribedWord } from '#worker/ports/speech-to-text.ts'
import { refuseCueCount } from './parse-captions.ts'
import type { Cue } from './tidy-cues.ts'

/** Without punctuation a segment is as long as one spoken sentence usually is. */
const SPOKEN_MIN_MS = 2_000
const SPOKEN_MAX_MS = 12_000
/** A sentence longer than this is cut at its longest pause. */
const SENTENCE_MAX_MS = 15_000
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

function toSegment(words: TranscribedWord[], text: string): FormedSegment {
  return {
    startMs: words[0]?.startMs ?? 0,
    endMs: words.at(-1)?.endMs ?? 0,
    text: text.slice(0, SEGMENT_MAX_CHARS).toWellFormed(),
    confidence: meanConfidence(words),
  }
}

/**
 * Forms sentence-like segments out of words: at sentence ends where the recogniser punctuates, otherwise at pauses
 * that are long for this narrator (at least 0.4 s), 2–12 s each.
 * @param words in order, without overlap, as {@link mergeWords} gives them
 */
export function formSegments(words: TranscribedWord[]): FormedSegment[] {
  const textOf = (group: TranscribedWord[]) => joinWords(group.map((word) => word.text))
  if (isPunctuated(words)) {
    const sentences = cutAfter(
      words,
      (at) => endsSentence(words[at]?.text ?? '') || pauseAfter(words, at) >= SILENCE_MS,
    )
    return sentences
      .flatMap((sentence) => cutToLength(sentence, SENTENCE_MAX_MS))
      .map((group) => toSegment(group, textOf(group)))
  }
  const pauseMs = findSentencePause(words)
  const sections = cutAfter(words, (at) => pauseAfter(words, at) >= pauseMs)
  return joinScraps(sections.flatMap((section) => cutToLength(section, SPOKEN_MAX_MS))).map((group) =>
    toSegment(group, tidyUnpunctuated(textOf(group))),
  )
}

/** Captions of which fewer end a sentence than this are not punctuated; joining them would be guessing. */
const PUNCTUATED_CUES_MIN = 0.2
/** A pause after which the next cue does not go on with the sentence. */
const CUE_PAUSE_MS = 1_500

/** A capital letter begins a sentence even where the point before it is missing; "I" is no sign of that. */
const NEW_SENTENCE = /^["'“‘(]*(?!I\b)\p{Lu}/u

function splitLongCue(cue: Cue): Cue[] {
  const lengthMs = cue.endMs - cue.startMs
  if (lengthMs <= SENTENCE_MAX_MS) return [cue]
  const sentences = cutAfterSentences(cue.text)
  const totalChars = sentences.reduce((sum, text) => sum + text.length, 0)
  let chars = 0
  const timeMs = () => cue.startMs + Math.round((lengthMs * chars) / totalChars)
  return sentences.map((text) => {
    const startMs = timeMs()
    chars += text.length
    return { startMs, endMs: timeMs(), text }
  })
}

function cutAfterSentences(text: string): string[] {
  const sentences: string[][] = [[]]
  for (const word of text.split(' ')) {
    sentences.at(-1)?.push(word)
    if (endsSentence(word)) sentences.push([])
  }
  return sentences.filter((words) => words.length > 0).map((words) => words.join(' '))
}

function goesOn(before: FormedSegment, next: Cue): boolean {
  return (
    next.startMs - before.endMs < CUE_PAUSE_MS &&
    next.endMs - before.startMs <= SENTENCE_MAX_MS &&
    before.text.length + next.text.length < SEGMENT_MAX_CHARS &&
    !endsSentence(before.text) &&
    !NEW_SENTENCE.test(next.text)
  )
}

/** Two megabytes of one-letter sentences would be hundreds of thousands of pieces, so those beyond the limit are only counted. */
function splitLongCues(cues: Cue[]): Cue[] {
  const pieces: Cue[] = []
  let found = 0
  for (const cue of cues) {
    const ofCue = splitLongCue(cue)
    found += ofCue.length
    if (found <= CAPTION_CUES_MAX) pieces.push(...ofCue)
  }
  if (found > CAPTION_CUES_MAX) throw refuseCueCount(found, 'sentences')
  return pieces
}

/**
 * Makes segments out of captions: cues that break a sentence are joined, up to 15 s; a longer cue with several
 * sentences is split, its time shared out by length. Captions without punctuation stay one segment per cue.
 * @throws {AppError} captions_invalid when the cues have too many sentences
 */
export function segmentsFromCues(cues: Cue[]): FormedSegment[] {
  const pieces = splitLongCues(cues)
  const ends = pieces.filter((cue) => endsSentence(cue.text)).length
  const isPunctuatedFile = ends >= pieces.length * PUNCTUATED_CUES_MIN
  const segments: FormedSegment[] = []
  for (const cue of pieces) {
    const before = segments.at(-1)
    if (before === undefined || !isPunctuatedFile || !goesOn(before, cue)) {
      segments.push({ ...cue, confidence: null })
      continue
    }
    before.endMs = cue.endMs
    before.text = joinWords([before.text, cue.text])
  }
  return segments
}

/** Sentence signs of the scripts that recognisers and captions use, with a closing quote or bracket after them. */
const SENTENCE_END = /[.!?…。！？।؟۔][\p{Pf}\p{Pe}"'*♪]*$/u
/** "e.g.", "Dr.", a single letter: a point that ends no sentence. */
const ABBREVIATION = /(?:^|[\s("'“])(?:\p{L}|e\.g|i\.e|etc|vs|mr|mrs|ms|dr|prof|st|no|fig|approx)\.$/iu
/** Scripts that are written without blanks between words. */
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u

/** Whether a sentence ends with this text. */
function endsSentence(text: string): boolean {
  return SENTENCE_END.test(text) && !ABBREVIATION.test(text)
}

/** Joins words to text: with blanks, except between characters of a script that has none. */
function joinWords(words: string[]): string {
  let text = ''
  for (const word of words) {
    const isUnspaced = UNSPACED.test(text.slice(-1)) && UNSPACED.test(word.slice(0, 1))
    text += text === '' || isUnspaced ? word : ` ${word}`
  }
  return text
}
