import { readSuffixes } from '#worker/domain/step/extractive/sentences.ts'
import { wordSet } from '#worker/domain/step/extractive/word-lists.ts'

/**
 * Porter's second stemmer for English (Snowball): cautious with "-er", "-or" and "-ion", so that "apply" and "app",
 * "state" and "station" stay apart.
 * @see https://snowballstem.org/algorithms/english/stemmer.html
 */
function stemEnglish(word: string): string {
  if (word.length <= 2) return word
  const marked = word.replace(/^y/, 'Y').replace(/([aeiouy])y/g, '$1Y')
  const r1 = /^(?:gener|commun|arsen)/.exec(marked)?.[0].length ?? findRegion(marked, 0)
  const r2 = findRegion(marked, r1)
  let stem = marked.replace(/'s?'?$/, '')
  stem = strip1a(stem)
  stem = strip1b(stem, r1)
  stem = stem.replace(/(?<=.[^aeiouy])[yY]$/, 'i')
  stem = replaceSuffix(stem, STEP_2, r1)
  stem = replaceSuffix(stem, STEP_3, r1)
  const suffix = STEP_4.exec(stem)
  if (suffix && suffix.index >= r2) stem = stem.slice(0, suffix.index)
  return strip5(stem, r1, r2).toLowerCase()
}

function findRegion(word: string, from: number): number {
  const offset = word.slice(from).search(/[aeiouy][^aeiouy]/)
  return offset < 0 ? word.length : from + offset + 2
}

const VOWEL = /[aeiouy]/

function strip1a(word: string): string {
  if (word.endsWith('sses')) return word.slice(0, -2)
  if (/ie[ds]$/.test(word)) return word.length > 4 ? word.slice(0, -2) : word.slice(0, -1)
  if (/(?:us|ss)$/.test(word)) return word
  return word.endsWith('s') && VOWEL.test(word.slice(0, -2)) ? word.slice(0, -1) : word
}

function strip1b(word: string, r1: number): string {
  const eed = /eed(?:ly)?$/.exec(word)
  if (eed) return eed.index >= r1 ? word.slice(0, eed.index + 2) : word
  const ending = /(?:ed|ing)(?:ly)?$/.exec(word)
  if (!ending || !VOWEL.test(word.slice(0, ending.index))) return word
  const stem = word.slice(0, ending.index)
  if (/(?:at|bl|iz)$/.test(stem)) return `${stem}e`
  if (/(bb|dd|ff|gg|mm|nn|pp|rr|tt)$/.test(stem)) return stem.slice(0, -1)
  return isShort(stem) && r1 >= stem.length ? `${stem}e` : stem
}

function isShort(word: string): boolean {
  return /^[aeiouy][^aeiouy]$/.test(word) || /[^aeiouy][aeiouy][^aeiouywxY]$/.test(word)
}

const STEP_2 =
  readSuffixes(`ization:ize ational:ate fulness:ful ousness:ous iveness:ive tional:tion biliti:ble lessli:less
entli:ent ation:ate alism:al aliti:al ousli:ous iviti:ive fulli:ful enci:ence anci:ance abli:able izer:ize ator:ate alli:al
bli:ble li:`)
const STEP_3 = readSuffixes('ational:ate tional:tion alize:al icate:ic iciti:ic ical:ic ness: ful:')

function replaceSuffix(word: string, rules: readonly [string, string][], region: number): string {
  const rule = rules.find(([suffix]) => word.endsWith(suffix))
  if (!rule || word.length - rule[0].length < region) return word
  if (rule[0] === 'li' && !/[cdeghkmnrt]li$/.test(word)) return word
  return word.slice(0, -rule[0].length) + rule[1]
}

const STEP_4 = /(?:ement|ance|ence|able|ible|ment|ant|ent|ism|ate|iti|ous|ive|ize|al|er|ic|(?<=[st])ion)$/

function strip5(word: string, r1: number, r2: number): string {
  const stem = word.slice(0, -1)
  if (word.endsWith('e') && (stem.length >= r2 || (stem.length >= r1 && !isShort(stem)))) return stem
  return word.endsWith('ll') && stem.length >= r2 ? stem : word
}

/** Scripts without blanks between words: every character counts as one, or a whole sentence would be one word. */
const WORD =
  /\d+(?:[.,]\d+)*|[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]|(?:(?![\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}])[\p{L}\p{M}\p{N}])+(?:['’]\p{L}+)*[+#]*/gu

const STEMS = new Map<string, string>()
/** Words whose stems are kept between questions; the vocabulary of some long videos. */
const MAX_KEPT_STEMS = 50_000

/** A map: a plain object would have a number for "constructor". */
const NUMBER_WORDS: ReadonlyMap<string, string> = new Map([
  ...countFrom(
    0,
    1,
    `zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen
    eighteen nineteen twenty`,
  ),
  ...countFrom(3, 1, 'third fourth fifth sixth seventh eighth ninth tenth'),
  ...countFrom(30, 10, 'thirty forty fifty sixty seventy eighty ninety hundred'),
  ['thousand', '1000'],
])

function countFrom(first: number, step: number, words: string): [string, string][] {
  return words.split(/\s+/).map((word, index) => [word, String(first + step * index)])
}

/** Words that never show what a question is about. */
const FUNCTION_WORDS =
  wordSet(`a about again all also am an and any are as at be because been being both but by can can't could did didn't do does
doesn't doing don't done down each else every for from get gets go goes going gone gonna got had has have having he he's
her here him his how i i'd i'll i'm i've if in into is it it's its just many may me might more most much must my no nor
not of off oh ok okay on once onto or our out over really s shall she she's should so some t than that that's the their
them then there there's they they're they've this those these to too under up us very was we we'll we're we've well went
were what what's when where which while who whom whose why will with would yeah yes you you're your let's let`)

/** Words by which people ask; the narration has them anywhere. */
const ASKING_WORDS: ReadonlySet<string> = new Set(
  `video presenter speaker author narrator trainer show shown say said mention explain describe suggest recommend used
use using thing called call kind type name number topic usual way example question expect ask part lesson clip recording
instructor teacher make made new need work give take want person people happen mean difference different same tell
step`
    .split(/\s+/)
    .map(stemTerm),
)

/** The words of a text in lower case, with straight apostrophes: hyphens and points split them, except in numbers. */
export function findWords(text: string): string[] {
  return Array.from(text.matchAll(WORD), ([word]) => word.toLowerCase().replaceAll('’', "'"))
}

/** Brings inflections, British and American spellings, and small numbers in words and digits together. */
export function stemTerm(word: string): string {
  const cachedStem = STEMS.get(word)
  if (cachedStem !== undefined) return cachedStem
  if (STEMS.size >= MAX_KEPT_STEMS) STEMS.clear()
  const stem = NUMBER_WORDS.get(word) ?? (/\d/.test(word) ? word : stemEnglish(unifySpelling(word)))
  STEMS.set(word, stem)
  return stem
}

function unifySpelling(word: string): string {
  return word
    .replace(/'s$/, '')
    .replace(/our(s|ed|ing|ful)?$/, 'or$1')
    .replace(/is(e|ed|es|ing|ation)$/, 'iz$1')
}

/** True for a word that can distinguish one question from another. */
export function isTerm(word: string): boolean {
  return !FUNCTION_WORDS.has(word)
}

/** True for a word by which people ask, as a stem. */
export function isAskingWord(stem: string): boolean {
  return ASKING_WORDS.has(stem)
}

/** True for a small number in words, which often only counts ("which two …"). */
export function isNumberWord(word: string): boolean {
  return NUMBER_WORDS.has(word)
}
