import { findTextLanguage } from './question-language.ts'
import { findWords, isTerm, stemTerm } from './words/words.ts'

/** What a question asks, as far as its words say it. */
export interface AskedWords {
  text: string
  /** All of its words. */
  said: readonly string[]
  /** Those that count: of words that name something their stems. */
  words: readonly string[]
}

const listOf = (words: string): ReadonlySet<string> => new Set(words.split(/\s+/))
/** English words that change nothing of what is asked. All others count: "on" and "off", "not", "all", "how". */
const EMPTY = listOf(`a an the i you we he she they me us my our your do does did is are was were be been being am will
would shall of for to please`)
/** Nor do these in questions for a way or a place: "How can I" is "How do I", but "Can I" is not "Must I". */
const EMPTY_IN_WAYS = listOf('can could should find')
const NEGATIONS = listOf('not no never without cannot nor none cant dont doesnt didnt isnt arent wont shouldnt')
/** What "this one" is depends on the place. */
const POINTING = listOf('this that these those it its here there them one ones')
/** Around these, another order may ask something else. */
const ORDERING = listOf(`before after from than instead then into onto over under above below behind and or but if when
while`)
/** Two of these in one question may belong to two things. */
const SIDES = listOf('on off in out up down not')
/** With fewer words, a question in another language than English names next to nothing: its empty words are not known. */
const MIN_FOREIGN_WORDS = 5
/** Where no blanks stand between words, about two characters are one. */
const CHARACTER = /^[^\p{ASCII}]$/u

/** Reads what a question asks. */
export function readAskedWords(text: string): AskedWords {
  const said = findWords(text).flatMap(splitWord)
  const isEmpty = (word: string) => EMPTY.has(word) || EMPTY_IN_WAYS.has(word)
  const asksForWay = said.some((word, at) => word === 'where' || (word === 'how' && isEmpty(said[at + 1] ?? '')))
  const counted = said.filter((word) => !(asksForWay ? isEmpty(word) : EMPTY.has(word)))
  // No stem may bring two words such as "on" together.
  return { text, said, words: counted.map((word) => (isTerm(word) ? stemTerm(word) : word)) }
}

/** "Where's" is "where is", and "don't" is "do not". */
function splitWord(word: string): string[] {
  if (NEGATIONS.has(word)) return ['not']
  if (word.endsWith("n't")) return [word === "can't" ? 'can' : word.slice(0, -"n't".length), 'not']
  const [, asking] = /^(what|where|how|who|when)'?s$/.exec(word) ?? []
  return [asking ?? word.replace(/'(?:s|re|m|ll|d|ve)$/, '')]
}

/** Whether a question names so little, or points at so much, that it means another thing at each step. */
export function isShort({ text, said, words }: AskedWords): boolean {
  const named = words.filter((word) => isTerm(word) && !POINTING.has(word))
  if (named.length < 2 || said.some((word) => POINTING.has(word))) return true
  const length = words.reduce((sum, word) => sum + (CHARACTER.test(word) ? 0.5 : 1), 0)
  return length < MIN_FOREIGN_WORDS && findTextLanguage(text) !== 'en'
}

/** Whether the same words in another order may ask something else. */
function isOrdered({ text, said }: AskedWords): boolean {
  // "From red to black": only behind a thing.
  const hasDirection = said.some((word, at) => word === 'to' && isTerm(said[at - 1] ?? word))
  const hasSides = said.filter((word) => SIDES.has(word)).length > 1
  return hasDirection || hasSides || said.some((word) => ORDERING.has(word)) || findTextLanguage(text) !== 'en'
}

/**
 * Whether two questions ask the same: they have the same words but for those that change nothing. Synonyms are no help
 * here: the lists by which the tutor finds passages have "hot" beside "cold".
 */
export function asksSame(one: AskedWords, other: AskedWords): boolean {
  return one.words.length > 0 && hasAll(one, other) && hasAll(other, one)
}

/** Whether one of two questions only has more words that name something than the other. */
export function isWordingOf(one: AskedWords, other: AskedWords): boolean {
  const sidesOf = ({ words }: AskedWords) => words.filter((word) => !isTerm(word)).toSorted()
  const hasSameSides = sidesOf(one).join(' ') === sidesOf(other).join(' ')
  return hasSameSides && (hasAll(one, other) || hasAll(other, one))
}

/** Whether a question has all words of another, in the same order where that may matter. */
function hasAll(asked: AskedWords, other: AskedWords): boolean {
  if (!other.words.every((word) => asked.words.includes(word))) return false
  let at = -1
  const hasSameOrder = other.words.every((word) => {
    at = asked.words.indexOf(word, at + 1)
    return at >= 0
  })
  return hasSameOrder || !(isOrdered(asked) || isOrdered(other))
}
