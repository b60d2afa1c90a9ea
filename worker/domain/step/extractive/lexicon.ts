import lists from './lexicons.json' with { type: 'json' }
import { STOP_WORDS } from './word-lists.ts'

/**
 * What the rules know of a language besides English: the English word that each of its function words, sequence words
 * and verbs of instruction stands for, so that one set of rules reads all languages. "open" stands for any instruction.
 */
export interface Lexicon {
  language: string
  /** Sequences of words are joined by an underscore. */
  glosses: ReadonlyMap<string, string>
  /** How instructions end that are in no list: "redimensionnez". */
  instruction: RegExp
  /** The verb ends a clause: "Kapağı açın". */
  isVerbLast: boolean
  /** Words are not divided by blanks. */
  isUnspaced: boolean
}

/** Endings of imperatives and of "we" forms, for words of five letters and more. Arabic and Chinese have none. */
const INSTRUCTIONS: Readonly<Record<string, RegExp>> = {
  es: /^\p{L}{2,}[aei]mos$/u,
  fr: /^\p{L}{3,}(?:ez|ons)$/u,
  hi: /(?:ें|िए|िये|ाएँ|ाएं|ाओ)$/u,
  it: /^\p{L}{2,}(?:iamo|[aei]te)$/u,
  pl: /^\p{L}{3,}(?:cie|[aei]my)$/u,
  pt: /^\p{L}{2,}[aei]mos$/u,
  tr: /^\p{L}{2,}(?:[ıiuü]n|[ıiuü]n[ıiuü]z|[ıiuü]yoruz)$/u,
}
const NONE = /(?!)/
/** In German the word after it shows it: "lösen Sie", "ziehst du". */
const GERMAN_INSTRUCTION = /^\p{L}{2,}(?:e?n sie|st du)$/u

const VERB_LAST = ['hi', 'tr']
const UNSPACED = ['zh']
/** Behind the first word of a phrase, the others say nothing. */
const EMPTY_GLOSS = 'first'
const INSTRUCTION_GLOSS = 'open'
/** Of the phrases in the lists, longest first. */
const PHRASE_LENGTHS = [3, 2, 1]
/** So many words show the language of a narration. */
const GUESSED_WORDS = 200

const LEXICONS: readonly Lexicon[] = Object.entries(lists).map(([language, glosses]) => makeLexicon(language, glosses))

function makeLexicon(language: string, byGloss: Readonly<Record<string, string>>): Lexicon {
  const isUnspaced = UNSPACED.includes(language)
  // A word is looked up as it is divided in a text.
  const keyOf = (word: string) => (isUnspaced ? divideWords(word).join('_') : word)
  const glosses = Object.entries(byGloss).flatMap(([gloss, words]) =>
    words.split(' ').map((word) => [keyOf(word), gloss] as const),
  )
  return {
    language,
    glosses: new Map(glosses),
    instruction: INSTRUCTIONS[language] ?? NONE,
    isVerbLast: VERB_LAST.includes(language),
    isUnspaced,
  }
}

/**
 * Finds what is known of a narration's language.
 * @param language ISO 639-1; null where it is unknown and is to be recognised by its words
 * @returns null for English; an empty lexicon for a language of which nothing is known
 */
export function findLexicon(language: string | null, text: string): Lexicon | null {
  const tag = language?.slice(0, 2).toLowerCase() ?? guessLanguage(text)
  if (tag === 'en') return null
  return LEXICONS.find((each) => each.language === tag) ?? makeLexicon(tag, {})
}

function guessLanguage(text: string): string {
  if (/\p{Script=Han}/u.test(text)) return 'zh'
  const words = text
    .slice(0, 20 * GUESSED_WORDS)
    .toLowerCase()
    .split(/[^\p{L}\p{M}'’]+/u)
    .slice(0, GUESSED_WORDS)
  let best = { language: 'en', count: words.filter((word) => STOP_WORDS.has(word)).length }
  for (const { language, glosses } of LEXICONS) {
    const count = words.filter((word) => glosses.has(word)).length
    if (count > best.count) best = { language, count }
  }
  return best.language
}

/** The English words that stand for some words, one for each; a word that is not known stays. */
export function glossWords(words: readonly string[], lexicon: Lexicon): string[] {
  const { glosses } = lexicon
  const glossed: string[] = []
  for (let at = 0; at < words.length; at += 1) {
    const length =
      PHRASE_LENGTHS.find((size) => at + size <= words.length && glosses.has(words.slice(at, at + size).join('_'))) ?? 1
    const phrase = words.slice(at, at + length).join('_')
    glossed.push(
      glosses.get(phrase) ?? (isInstruction(phrase, words[at + 1], lexicon) ? INSTRUCTION_GLOSS : phrase),
      ...Array.from({ length: length - 1 }, () => EMPTY_GLOSS),
    )
    at += length - 1
  }
  return glossed
}

function isInstruction(word: string, next: string | undefined, { language, instruction }: Lexicon): boolean {
  return language === 'de' ? GERMAN_INSTRUCTION.test(`${word} ${next}`) : instruction.test(word)
}

/** Divides a text that has no blanks between its words; marks stay with the word before them. */
export function divideWords(text: string): string[] {
  const parts: string[] = []
  for (const { segment, isWordLike } of new Intl.Segmenter('zh', { granularity: 'word' }).segment(text)) {
    if (isWordLike === true || parts.length === 0) parts.push(segment)
    else parts.push(`${parts.pop() ?? ''}${segment}`)
  }
  return parts
}

/** Removes the blanks that {@link divideWords} put between words. */
export function joinUnspaced(text: string): string {
  return text.replace(/(?<=[\p{Script=Han}，。！？、：；]) (?=[\p{Script=Han}\p{N}，。！？、：；])/gu, '')
}
