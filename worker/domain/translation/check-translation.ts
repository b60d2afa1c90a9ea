import type { COMPARED_KINDS, Complaint } from '#contract/translation.ts'
import { findLostTerms, includesWords, type Term } from './glossary.ts'
import { KEY_COMBINATION, type LanguageRules, nameKey, RULES, readUnit } from './language-rules.ts'

/** A text with its translation, and their languages as primary tags. */
export interface CheckedPair {
  source: string
  text: string
  from: string
  to: string
  /** Words that are translated in one way, or stay as they are. */
  terms: readonly Term[]
}

/** Whether there are rules for a translation from one language into another. */
export function isChecked(from: string | null, to: string): boolean {
  return from !== null && from in RULES && to in RULES
}

/** Many times what a step or a line of captions has: a model that repeats itself must not hold the patterns up. */
const COMPARED_MAX_CHARS = 10_000

/**
 * Compares a translation with its source in what a learner must be able to rely on: numbers with their units, negations,
 * placeholders, names of keys and of what is on the screen, and the words of the glossary. Between languages without
 * rules only what needs none is compared.
 */
export function checkTranslation(pair: CheckedPair): Complaint[] {
  const { source, text, from, to } = pair
  if (source.trim() === '') return []
  if (Math.max(source.length, text.length) > COMPARED_MAX_CHARS) return [{ kind: 'too_long' }]
  if (text.trim() === '') return [{ kind: 'empty' }]
  const [ofSource, ofText] = [RULES[from], RULES[to]]
  const compared = [
    ...compareLiterals(pair),
    ...(ofSource === undefined || ofText === undefined ? [] : compareFacts(pair, ofSource, ofText)),
  ]
  return compared.length > 0 ? compared : findMissing(pair)
}

/** Less than this share of the source's length is no translation of all of it; more than this many times is more than it. */
const LENGTHS = { least: 0.4, most: 3 }
/** Shorter texts may be half or double as long. */
const LENGTH_FROM_CHARS = 40
/** Names may stay as they are; a sentence of so many words is not translated then. */
const SAME_FROM_WORDS = 6

function findMissing({ source, text, to }: CheckedPair): Complaint[] {
  const isSame = source.trim() === text.trim() && source.trim().split(/\s+/).length >= SAME_FROM_WORDS
  if (isSame) return [{ kind: 'untranslated' }]
  // A character of Chinese stands for a word.
  const length = text.length * (to === 'zh' ? 3 : 1)
  const isLong = source.length >= LENGTH_FROM_CHARS
  if (isLong && length < source.length * LENGTHS.least) return [{ kind: 'shorter' }]
  if (isLong && length > source.length * LENGTHS.most) return [{ kind: 'longer' }]
  return []
}

/** Names are looked for at the beginning of a word only: in a text without blanks, each character would be a start. */
const PLACEHOLDER =
  /\$?\{\{?[^{}]*\}\}?|%\d*\$?[sdif]\b|<\/?[a-z][^<>]*>|`[^`]+`|https?:\/\/[^\s)]+|(?<![\w.+-])[\w.+-]+@[\w-]+\.\w+/giu
const FILE_NAME =
  /(?<![\p{L}\p{N}_-])[\p{L}\p{N}_-]+\.(?:txt|pdf|csv|png|jpe?g|gif|svg|json|xml|ya?ml|exe|zip|docx?|xlsx?|pptx?|mp[34]|tsx?|jsx?|py|html?|css|md|log|ini|cfg|com|org|net|io|sh)(?![\p{L}\p{N}])/giu
/** Quoted text usually is on a screen or a label, where learners look for it. */
const QUOTED = /["“”„«»]\s*([^"“”„«»]{1,60}?)\s*["“”„«»]/gu

function compareLiterals({ source, text, terms }: CheckedPair): Complaint[] {
  const literals = (of: string) => [...(of.match(PLACEHOLDER) ?? []), ...(of.match(FILE_NAME) ?? [])]
  const keys = (of: string) =>
    (of.match(KEY_COMBINATION) ?? []).map((combination) =>
      combination
        .split('+')
        .map((key) => nameKey(key.trim()))
        .join('+'),
    )
  const quotes = Array.from(source.matchAll(QUOTED), ([, quoted]) => quoted ?? '')
  const lost = quotes.filter((quoted) => !includesWords(text, quoted))
  return [
    ...compare('placeholder', difference(literals(source), literals(text))),
    ...compare('key', difference(keys(source), keys(text))),
    ...compare('key', { lost, added: [] }),
    ...compare('term', { lost: findLostTerms(terms, { source, text }).map((term) => term.text), added: [] }),
  ]
}

function compare(kind: (typeof COMPARED_KINDS)[number], { lost, added }: Difference): Complaint[] {
  return lost.length === 0 && added.length === 0 ? [] : [{ kind, lost, added }]
}

interface Difference {
  lost: string[]
  added: string[]
}

/** Compares two lists in which the order says nothing. */
function difference(expected: readonly string[], found: readonly string[]): Difference {
  const added = [...found]
  const lost: string[] = []
  for (const each of expected) {
    const index = added.indexOf(each)
    if (index === -1) lost.push(each)
    else added.splice(index, 1)
  }
  return { lost, added }
}

function compareFacts({ source, text }: CheckedPair, ofSource: LanguageRules, ofText: LanguageRules): Complaint[] {
  const [expected, found] = [readNumbers(source, ofSource), readNumbers(text, ofText)]
  const values = (numbers: Quantity[]) => numbers.map(({ value }) => value)
  const { lost, added } = difference(values(expected), values(found))
  // "Both" and "a pair" become a number in other languages, and "another two" a word.
  const isFree = (value: string) => value === '2' && (isSpelled(expected, value) || isSpelled(found, value))
  const wrong = { lost: lost.filter((value) => !isFree(value)), added: added.filter((value) => !isFree(value)) }
  const numbers = compare('number', wrong)
  const units = (of: Quantity[]) => of.flatMap(({ value, unit }) => (unit === null ? [] : [`${value} ${unit}`]))
  return [
    ...numbers,
    ...(numbers.length > 0 ? [] : compare('unit', difference(units(expected), units(found)))),
    ...compareNegations(countNegations(source, ofSource), countNegations(text, ofText)),
  ]
}

interface Quantity {
  /** As plain decimal digits, or a time or version as it stands. */
  value: string
  unit: string | null
  isSpelled: boolean
}

/** Whether a value is spelled out, or not there at all. */
function isSpelled(numbers: readonly Quantity[], value: string): boolean {
  return numbers.some((each) => each.value === value && each.isSpelled)
}

const NUMBER = /\d+(?:[.,:/\u00a0\u202f'’]\d+|[ ]\d{3}(?!\d))*/gu
const CLOCK_FR = /(\d{1,2}) ?h ?(\d{2})(?!\d)/gu

/** Reads the numbers of a text, digits and words, with the units behind them. */
export function readNumbers(text: string, rules: LanguageRules): Quantity[] {
  const plain = text.replace(CLOCK_FR, '$1:$2')
  const digits = Array.from(plain.matchAll(NUMBER), ({ 0: written, index }): Quantity => {
    const unit = readUnit(plain.slice(index + written.length))
    return { value: readValue(written, rules), unit, isSpelled: false }
  })
  const spelled = Array.from(plain.matchAll(/\p{L}+/gu), ({ 0: word, index }): Quantity[] => {
    const value = rules.numbers[word.toLowerCase()]
    if (value === undefined) return []
    return [{ value: String(value), unit: readUnit(plain.slice(index + word.length)), isSpelled: true }]
  })
  return [...digits, ...spelled.flat()]
}

/**
 * Reads a number as its language writes it. Three digits behind the mark of thousands are thousands; anything else behind
 * it are decimals, as Mexico writes them in Spanish.
 */
function readValue(written: string, { thousands }: LanguageRules): string {
  const compact = written.replace(/[ \u00a0\u202f'’]/g, '')
  if (!/^\d+(?:[.,]\d+)*$/.test(compact)) return compact
  const grouped = thousands === '.' ? /^\d{1,3}(?:\.\d{3})+(?:,\d+)?$/ : /^\d{1,3}(?:,\d{3})+(?:\.\d+)?$/
  const decimal = thousands === '.' ? ',' : '.'
  if (grouped.test(compact)) return canonical(compact.replaceAll(thousands, '').replace(decimal, '.'))
  // More than one mark that groups nothing: a version.
  if ((compact.match(/[.,]/g) ?? []).length > 1) return compact
  return canonical(compact.replace(',', '.'))
}

function canonical(digits: string): string {
  const [whole = '', decimals = ''] = digits.split('.')
  const rest = decimals.replace(/0+$/, '')
  return `${whole.replace(/^0+(?=\d)/, '')}${rest === '' ? '' : `.${rest}`}`
}

interface Negations {
  count: number
  /** How many more or fewer there may be. */
  soft: number
}

function countNegations(text: string, rules: LanguageRules): Negations {
  const plain = text.replace(rules.idioms, ' ')
  let count = 0
  for (const sentence of plain.split(/[.!?]\s|\n/)) {
    for (const clause of sentence.split(rules.clause)) {
      const negators = clause.match(rules.negators)?.length ?? 0
      const hasCompanion = (clause.match(rules.companions)?.length ?? 0) > 0
      count += negators === 0 && hasCompanion ? 1 : negators
    }
  }
  return { count, soft: plain.match(rules.soft)?.length ?? 0 }
}

/** Words that may become a negation explain a difference of one each, in the language that has fewer negations. */
function compareNegations(expected: Negations, found: Negations): Complaint[] {
  const difference = found.count - expected.count
  if (difference === 0) return []
  if (difference > 0 ? difference <= expected.soft : -difference <= found.soft) return []
  return [{ kind: difference < 0 ? 'not_lost' : 'not_added' }]
}
