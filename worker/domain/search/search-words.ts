import { SEARCH_WORDS_MAX } from '#contract/limits.ts'
import type { MarkedText } from '#contract/search.ts'
import { foldTitle } from '#worker/domain/module/module-store.ts'
import { hashText } from '#worker/domain/signed-payload.ts'
import { isTerm, stemTerm } from '#worker/domain/tutor/words/words.ts'

/** A word of a text: as searches compare it, and where it stands. */
interface TextWord {
  folded: string
  from: number
  to: number
}

/** Scripts without spaces between words; each of their characters is a word of its own. */
const UNSPACED = ['Han', 'Hiragana', 'Katakana', 'Thai', 'Lao', 'Khmer', 'Myanmar']
  .map((script) => `\\p{Script=${script}}`)
  .join('')
const WORD = new RegExp(`[${UNSPACED}]\\p{M}*|(?:(?![${UNSPACED}])[\\p{L}\\p{N}\\p{M}])+`, 'gu')
/** Where the tokenizer `ascii` ends a word. Some characters become several when they are folded. */
const SEPARATORS = /[^a-z0-9\u0080-\u{10ffff}]/gu
/** No word that people look for is longer. */
const WORD_CHARS_MAX = 40

/** Lists the words of a text in their order, without their case and diacritics. */
export function listWords(text: string): TextWord[] {
  return Array.from(text.matchAll(WORD)).flatMap(({ 0: word, index }) => {
    const folded = foldTitle(word).normalize('NFKD').replace(/\p{M}/gu, '').replace(SEPARATORS, '')
    const short = Array.from(folded).slice(0, WORD_CHARS_MAX).join('')
    return short === '' ? [] : [{ folded: short, from: index, to: index + word.length }]
  })
}

/** Lists what is searched for: the words of a query, each once. */
export function readQueryWords(query: string): string[] {
  return [...new Set(listWords(query).map(({ folded }) => folded))].slice(0, SEARCH_WORDS_MAX)
}

/** Lists those words of a question that say what is wanted, by their beginnings; all of them where none does. */
export function readWantedWords(question: string): string[] {
  const words = readQueryWords(question)
  const terms = words.filter(isTerm)
  const wanted = (terms.length === 0 ? words : terms).map((word) => {
    const stem = stemTerm(word)
    return word.startsWith(stem) ? stem : word
  })
  return [...new Set(wanted)]
}

/** A shorter beginning fits too many words to be looked up as one is typed. */
const PREFIX_CHARS_MIN = 3

/** Whether a word is searched for by its beginning. */
function isPrefix(word: string): boolean {
  return word.length >= PREFIX_CHARS_MIN
}

/** Whether a word of a text is one that is searched for. */
function fitsWord(folded: string, wanted: string): boolean {
  return isPrefix(wanted) ? folded.startsWith(wanted) : folded === wanted
}

/** 40 bits are enough: results are checked in the database, so owners with the same code never see each other's. */
const CODE_BYTES = 5

/** Makes the code of an owner: ten characters that no tokenizer separates. */
export function codeOf(owner: string): Promise<string> {
  return hashText(owner, CODE_BYTES)
}

/**
 * Writes words as the index holds them: behind the code of each owner, so that what is looked up of one owner lies
 * together, and no other owner's words are read.
 */
export function writeIndexed(codes: readonly string[], text: string): string {
  const words = [...new Set(listWords(text).map(({ folded }) => folded))]
  return codes.flatMap((code) => words.map((word) => code + word)).join(' ')
}

/**
 * Writes the expression that finds rows of one owner that have all of the words, and at least one of them in their step
 * or what was said in it. Words are letters and digits only, and quoted, so none of them is read as an operator.
 */
export function writeMatch(code: string, words: readonly string[]): string {
  const terms = listTerms(code, words)
  return `${terms.join(' AND ')} AND {step said} : (${terms.join(' OR ')})`
}

/** Writes the expression that finds rows of one owner that have two of the words, and one of them in their step or speech. */
export function writeNearMatch(code: string, words: readonly string[]): string {
  const terms = listTerms(code, words)
  const pairs = terms.flatMap((one, at) => terms.slice(at + 1).map((other) => `(${one} AND ${other})`))
  return `(${pairs.join(' OR ')}) AND {step said} : (${terms.join(' OR ')})`
}

/** Writes the expression that finds rows of one owner whose step has all of the words. */
export function writeStepMatch(code: string, words: readonly string[]): string {
  return `step : (${listTerms(code, words).join(' AND ')})`
}

function listTerms(code: string, words: readonly string[]): string[] {
  return words.map((word) => `"${code}${word}"${isPrefix(word) ? ' *' : ''}`)
}

/** Counts how many of the words a text has. */
export function countWords(text: string, wanted: readonly string[]): number {
  const words = listWords(text)
  return wanted.filter((each) => words.some(({ folded }) => fitsWord(folded, each))).length
}

/** An excerpt is two lines of a phone. */
const EXCERPT_CHARS_MAX = 140
/** How much stands before the first mark of a text that is cut. */
const BEFORE_CHARS = 40

/** Marks the words in a text, which is cut around the first of them where it is long. */
export function markWords(text: string, wanted: readonly string[]): MarkedText {
  const words = listWords(text)
  const isWanted = ({ folded }: TextWord) => wanted.some((each) => fitsWord(folded, each))
  const first = words.find(isWanted)?.from ?? 0
  const isLong = text.length > EXCERPT_CHARS_MAX
  // Only whole words are shown.
  const from = isLong && first > BEFORE_CHARS ? (words.find((word) => word.from >= first - BEFORE_CHARS)?.from ?? 0) : 0
  const last = words.findLast((word) => word.to <= from + EXCERPT_CHARS_MAX)
  const to = text.length - from <= EXCERPT_CHARS_MAX ? text.length : Math.max(last?.to ?? 0, first)
  const before = from > 0 ? '…' : ''
  const marks = words
    .filter((word) => word.from >= from && word.to <= to && isWanted(word))
    .map((word): [number, number] => [word.from - from + before.length, word.to - from + before.length])
  return { text: `${before}${text.slice(from, to)}${to < text.length ? '…' : ''}`, marks }
}
