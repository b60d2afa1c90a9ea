import { wordSet } from '#worker/domain/step/extractive/word-lists.ts'
import { findWords, isNumberWord, isTerm, stemTerm } from './words.ts'

/** A word of a sentence with what its clause makes of it. */
export interface Said {
  /** In lower case. */
  word: string
  /** Brings inflections together, and numbers in words and in digits. */
  stem: string
  /** `relation`: says how terms are related, and in which order; `other`: says nothing alone. */
  kind: 'term' | 'number' | 'relation' | 'other'
  /** Counts clauses and sentences from 0. */
  clause: number
  sentence: number
  /** A denial of its clause reaches it. */
  isDenied: boolean
  /** Written with a capital inside of a sentence, as names are. */
  isCapital: boolean
  /** Limits what its clause says: only, most, may; `condition`: its sentence, as "if" does. */
  limits: 'clause' | 'condition' | null
}

/** What ends a clause: marks, and words that begin a clause of their own. */
const ENDS_CLAUSE = /[.!?;:,–—…]$/
const BEGINS_CLAUSE =
  wordSet(`but because although though while whereas so which who whom when where if unless until instead otherwise except
than`)
const DENIES =
  /^(?:not|never|no|none|nothing|nobody|neither|nor|cannot|without|hardly|barely|rarely|seldom|\p{L}+n't|forget|forgets|forgot|forgotten|fail|fails|failed|avoid|avoids|refuse|refuses|refused|lack|lacks)$/u
const NOT = /^not$|^cannot$|n't$/
/** "No matter", "not only", "not just" and "or not" deny nothing. */
const NO_DENIAL = /^(?:or not|no (?:matter|longer than|doubt)|not (?:only|just|merely|necessarily))$/
const RELATIONS =
  wordSet(`from to into out on off up down before after over under above below beneath between through toward towards left right
first second third then next last finally behind beside inside outside against`)
/** Words for the same relation. */
const SAME_RELATION: ReadonlyMap<string, string> = new Map([
  ['above', 'over'],
  ['below', 'under'],
  ['beneath', 'under'],
  ['towards', 'toward'],
  ['into', 'to'],
])
const QUALIFIERS =
  wordSet(`only all every each some most many few any always usually typically normally sometimes often almost nearly may
might can could should must would will both either same different instead more less least except
even maybe perhaps probably possibly likely everyone everybody anyone anybody someone somebody`)

const CONDITIONS = wordSet('if unless until')
const ENDS_SENTENCE = /[.!?…]$/
const CAPITAL = /^[^\p{L}]*\p{Lu}/u
const SPLIT = /[^\s]+/gu

/** Reads a text clause by clause. */
export function readClauses(text: string): Said[] {
  const clauseWords: Said[] = []
  let clause = 0
  let sentence = 0
  let isDenied = false
  for (const [chunk] of text.matchAll(SPLIT)) {
    const words = findWords(chunk)
    const isCapital = sentence === clauseWords.at(-1)?.sentence && CAPITAL.test(chunk)
    for (const word of words) {
      if (BEGINS_CLAUSE.has(word)) {
        clause += 1
        isDenied = false
      }
      if (NO_DENIAL.test(`${clauseWords.at(-1)?.stem ?? ''} ${word}`)) isDenied = false
      else if (DENIES.test(word)) isDenied = true
      clauseWords.push(readWord(word, { clause, sentence, isDenied, isCapital }))
    }
    if (ENDS_SENTENCE.test(chunk)) sentence += 1
    if (ENDS_CLAUSE.test(chunk)) {
      clause += 1
      isDenied = false
    }
  }
  return joinNumbers(clauseWords)
}

/** As in most languages: a comma that no three digits follow, or that follows a lone nought. */
const DECIMAL_COMMA = /^(?:0|\d+(?=,\d{1,2}$|,\d{4,}$)),/

/** What stands on keys, and how it is said. */
const KEYS: ReadonlyMap<string, string> = new Map([
  ['ctrl', 'control'],
  ['cmd', 'command'],
  ['esc', 'escape'],
  ['del', 'delete'],
  ['ok', 'okay'],
])

/** The stem of a word; what stands on a key is what it is called. */
export function stemSaid(word: string): string {
  return stemTerm(KEYS.get(word) ?? word)
}

function readWord(word: string, within: Pick<Said, 'clause' | 'sentence' | 'isDenied' | 'isCapital'>): Said {
  const stem = DECIMAL_COMMA.test(word) ? word.replace(',', '.') : stemSaid(word).replaceAll(',', '')
  const limits = CONDITIONS.has(word) ? 'condition' : QUALIFIERS.has(word) ? 'clause' : null
  const wordFields = { ...within, word, limits } as const
  if (RELATIONS.has(word)) return { ...wordFields, stem: SAME_RELATION.get(word) ?? word, kind: 'relation' }
  // "one" is a pronoun more often than a number.
  if (/^\d/.test(stem)) return { ...wordFields, stem, kind: isNumberWord(word) && stem === '1' ? 'other' : 'number' }
  if (DENIES.test(word)) return { ...wordFields, stem: NOT.test(word) ? 'not' : word, kind: 'other', limits: 'clause' }
  return { ...wordFields, stem, kind: isTerm(word) ? 'term' : 'other' }
}

/** Reads "two hundred and fifty six" as one number, as captions and people write either way. */
function joinNumbers(words: readonly Said[]): Said[] {
  const joined: Said[] = []
  for (const [index, word] of words.entries()) {
    const last = joined.at(-1)
    const before = words[index - 1]
    const value = Number(word.stem)
    const sum = Number(last?.stem)
    const isOne = word.kind === 'number' && last?.kind === 'number' && before?.kind === 'number'
    if (isOne && Number.isInteger(value) && (value === 100 || value === 1_000) && sum < value) {
      joined[joined.length - 1] = { ...last, stem: String(sum * value) }
    } else if (isOne && value < 10 && sum >= 20 && sum % 10 === 0 && value > 0) {
      joined[joined.length - 1] = { ...last, stem: String(sum + value) }
    } else joined.push(word)
  }
  return joined
}
