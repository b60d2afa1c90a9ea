import type { SpeechResult, TranscribedWord } from '#worker/ports/speech-to-text.ts'
import { meanConfidence } from './mean-confidence.ts'
import { bareWord } from './merge-words.ts'

/** What was said in one of the files of a chunk. */
export interface Voice extends SpeechResult {
  /** How much later than the chunk's audio its own begins. */
  afterMs: number
}

/** What one speaker says in a row, up to the end of a sentence or a pause. */
interface Phrase {
  voice: number
  words: TranscribedWord[]
}

/** A recogniser gives the same word in two microphones times that are this far apart. */
const ECHO_MS = 400
/** Of the shorter phrase, so much is heard in the other microphone as well. */
const ECHO_SHARE = 0.5
const PAUSE_MS = 400
const SENTENCE_END = /[.?!…。？！]["'”’»)\]]*$/u
/** What falls into another one's sentence follows it, unless that would be later than this. */
const HELD_MS = 4_000

/**
 * Joins what speakers with tracks of their own say, in order of time. What one microphone hears of another speaker is
 * kept once, and a sentence into which somebody falls stays whole.
 */
export function joinVoices(voices: readonly Voice[]): SpeechResult {
  const [only, other] = voices
  if (only !== undefined && other === undefined) return only
  const phrases = voices.flatMap(({ words, afterMs }, voice) => splitPhrases(words, afterMs, voice))
  const words = holdTurns(dropEchoes(phrases))
  return { words, language: languageOfMost(voices) }
}

/** The language of the result with most words; null when none has one. */
export function languageOfMost(results: readonly SpeechResult[]): string | null {
  const resultsWithLanguage = results.filter(({ language }) => language !== null)
  const [most] = resultsWithLanguage.toSorted((a, b) => b.words.length - a.words.length)
  return most?.language ?? null
}

function splitPhrases(words: readonly TranscribedWord[], afterMs: number, voice: number): Phrase[] {
  const phrases: Phrase[] = []
  let before: TranscribedWord | null = null
  for (const word of words) {
    const moved = { ...word, startMs: word.startMs + afterMs, endMs: word.endMs + afterMs }
    const isNew = before === null || SENTENCE_END.test(before.text) || moved.startMs - before.endMs > PAUSE_MS
    if (isNew) phrases.push({ voice, words: [moved] })
    else phrases.at(-1)?.words.push(moved)
    before = moved
  }
  return phrases
}

const startOf = ({ words }: Phrase) => words[0]?.startMs ?? 0
const endOf = ({ words }: Phrase) => words.at(-1)?.endMs ?? 0

const byStart = (a: Phrase, b: Phrase) => startOf(a) - startOf(b) || a.voice - b.voice

function dropEchoes(phrases: readonly Phrase[]): Phrase[] {
  const left = phrases.toSorted(byStart)
  for (const [at, one] of left.entries()) {
    for (const other of left.slice(at + 1)) {
      if (startOf(other) > endOf(one) + ECHO_MS) break
      if (other.voice !== one.voice) dropWeaker(one, other)
    }
  }
  return left.filter(({ words }) => words.length > 0).toSorted(byStart)
}

/** Where two phrases are one that two microphones have heard, takes it out of the one that was understood less well. */
function dropWeaker(one: Phrase, other: Phrase): void {
  const pairs = pairWords(one.words, other.words)
  if (pairs.length === 0 || pairs.length < ECHO_SHARE * Math.min(one.words.length, other.words.length)) return
  const [ofOne, ofOther] = [pairs.map(([word]) => word), pairs.map(([, word]) => word)]
  const isOtherClearer = (meanConfidence(ofOther) ?? 1) > (meanConfidence(ofOne) ?? 1)
  const [kept, weaker, echoes] = isOtherClearer ? [other, one, ofOne] : [one, other, ofOther]
  const isHeard = new Set(echoes)
  // A word at the time of one that is kept is the same, misheard.
  const isMisheard = (word: TranscribedWord) =>
    kept.words.some((clear) => overlapMs(word, clear) > (word.endMs - word.startMs) / 2)
  weaker.words = weaker.words.filter((word) => !isHeard.has(word) && !isMisheard(word))
}

function overlapMs(one: TranscribedWord, other: TranscribedWord): number {
  return Math.min(one.endMs, other.endMs) - Math.max(one.startMs, other.startMs)
}

/** Equal words at about the same time, each in one pair. */
function pairWords(
  one: readonly TranscribedWord[],
  other: readonly TranscribedWord[],
): [TranscribedWord, TranscribedWord][] {
  const pairs: [TranscribedWord, TranscribedWord][] = []
  let from = 0
  for (const word of one) {
    const at = other.findIndex((candidate, index) => index >= from && isEcho(word, candidate))
    const echo = other[at]
    if (echo === undefined) continue
    pairs.push([word, echo])
    from = at + 1
  }
  return pairs
}

function isEcho(word: TranscribedWord, other: TranscribedWord): boolean {
  return Math.abs(word.startMs - other.startMs) <= ECHO_MS && bareWord(word.text) === bareWord(other.text)
}

/** @param phrases in order of time */
function holdTurns(phrases: readonly Phrase[]): TranscribedWord[] {
  const words: TranscribedWord[] = []
  let turn = { voice: -1, endMs: 0 }
  for (const { voice, words: said } of phrases) {
    const startMs = said[0]?.startMs ?? 0
    const isHeld = voice !== turn.voice && turn.endMs - startMs <= HELD_MS
    const freeMs = isHeld ? turn.endMs : startMs
    for (const word of said) {
      words.push({ ...word, startMs: Math.max(word.startMs, freeMs), endMs: Math.max(word.endMs, freeMs) })
    }
    const endMs = words.at(-1)?.endMs ?? 0
    if (endMs >= turn.endMs) turn = { voice, endMs }
  }
  return words.toSorted((a, b) => a.startMs - b.startMs)
}
