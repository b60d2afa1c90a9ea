import { isRough } from '#worker/domain/transcript/form-segments.ts'
import type { SaidSegment } from '#worker/ports/language-model.ts'
import {
  isContentWord,
  readSentences,
  readTitleTokens,
  type Sentence,
  splitWords,
  stemWord,
} from './extractive/sentences.ts'

/**
 * How often a word has to be said with some confidence to be sure. Where a recogniser guesses much, it is confident of
 * many a word that was never said, but it rarely mishears two words as the same one.
 */
const SURE_MENTIONS = { clear: 1, rough: 2 }

/**
 * Marks which words of a transcript may not have been said. In a clear one a guess is sure where the word is said surely
 * elsewhere; in a rough one a word with a meaning is sure where it is no guess and is said twice.
 * @param expectedTexts texts with words that are to be expected, which are always sure
 */
export function markUnsureWords<Said extends SaidSegment>(
  segments: readonly Said[],
  expectedTexts: readonly string[] = [],
): Said[] {
  // Captions are sure, and would be read as a whole for each section.
  if (segments.every(({ unsure, guessed }) => unsure === undefined && guessed === undefined)) return [...segments]
  const expected = new Set(expectedTexts.flatMap(splitWords).map(stemWord))
  const mentions = countMentions(segments)
  const isAllRough = isRough(segments)
  return segments.map((segment) => {
    const isHere = isAllRough || segment.guessed !== undefined
    const guesses = new Set(guessesOf(segment))
    const isSure = (word: string, index: number) =>
      splitWords(word).every((part) => {
        const stem = stemWord(part)
        if (expected.has(stem)) return true
        const { count, isEverSure } = mentions.get(stem) ?? { count: 0, isEverSure: false }
        if (!isHere) return !guesses.has(index) || count >= SURE_MENTIONS.clear
        return !guesses.has(index) && (!isContentWord(part) || (isEverSure && count >= SURE_MENTIONS.rough))
      })
    const unsure = wordsOf(segment).flatMap((word, index) => (isSure(word, index) ? [] : [index]))
    return unsure.length === 0 && segment.unsure === undefined ? segment : { ...segment, unsure }
  })
}

const wordsOf = ({ text }: SaidSegment) => text.split(' ')
const guessesOf = ({ unsure = [], guessed = unsure }: SaidSegment) => guessed

interface Mentions {
  /** How often it is said where it is no guess. */
  count: number
  /** Whether the recogniser was confident of it at least once. */
  isEverSure: boolean
}

/** How each stem is said. */
function countMentions(segments: readonly SaidSegment[]): ReadonlyMap<string, Mentions> {
  const mentions = new Map<string, Mentions>()
  for (const segment of segments) {
    const guesses = new Set(guessesOf(segment))
    const unsure = new Set(segment.unsure)
    wordsOf(segment).forEach((word, index) => {
      if (guesses.has(index)) return
      for (const stem of splitWords(word).map(stemWord)) {
        const { count, isEverSure } = mentions.get(stem) ?? { count: 0, isEverSure: false }
        mentions.set(stem, { count: count + 1, isEverSure: isEverSure || !unsure.has(index) })
      }
    })
  }
  return mentions
}

/** Lists the stems of words that are said in these sentences, but never surely. */
export function listUnsureStems(sentences: readonly Sentence[]): ReadonlySet<string> {
  const tokens = sentences.flatMap(readTitleTokens)
  const stemsOf = (isUnsure: boolean) =>
    new Set(tokens.filter((token) => token.isUnsure === isUnsure).flatMap(({ word }) => splitWords(word).map(stemWord)))
  const sure = stemsOf(false)
  return new Set([...stemsOf(true)].filter((stem) => !sure.has(stem)))
}

/** Empties the titles of entries that have a word which may not have been said; their steps keep their own. */
export function clearUnsureTitles<Entry extends { title: string; chapter?: string }>(
  entries: readonly Entry[],
  segments: readonly SaidSegment[],
): Entry[] {
  const unsureStems = listUnsureStems(readSentences(segments))
  const clear = (title: string) => (restsOnUnsure(title, unsureStems) ? '' : title)
  return entries.map((entry) => ({
    ...entry,
    title: clear(entry.title),
    ...(entry.chapter === undefined ? {} : { chapter: clear(entry.chapter) }),
  }))
}

/** Checks whether a title has a word that may not have been said. */
export function restsOnUnsure(title: string, unsureStems: ReadonlySet<string>): boolean {
  return splitWords(title).some((word) => unsureStems.has(stemWord(word)))
}
