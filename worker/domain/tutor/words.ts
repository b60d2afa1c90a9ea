import { stemEnglish as stemWord } from './stem-english.ts'

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
  return words.split(/\s+/).map((word, at) => [word, String(first + step * at)])
}

/** Words that never show what a question is about. */
const FUNCTION_WORDS: ReadonlySet<string> = new Set(
  `a about again all also am an and any are as at be because been being both but by can can't could did didn't do does
doesn't doing don't done down each else every for from get gets go goes going gone gonna got had has have having he he's
her here him his how i i'd i'll i'm i've if in into is it it's its just many may me might more most much must my no nor
not of off oh ok okay on once onto or our out over really s shall she she's should so some t than that that's the their
them then there there's they they're they've this those these to too under up us very was we we'll we're we've well went
were what what's when where which while who whom whose why will with would yeah yes you you're your let's let`.split(
    /\s+/,
  ),
)

/** Words by which people ask; the narration has them anywhere. */
const ASKING_WORDS: ReadonlySet<string> = new Set(
  `video presenter speaker author narrator trainer show shown say said mention explain describe suggest recommend used
use using thing called call kind type name number topic usual way example question expect ask part lesson clip recording
instructor teacher make made new need work give take want person people happen mean difference different same tell
step`
    .split(/\s+/)
    .map(stemTerm),
)

/** A word of a text and where it stands. */
export interface FoundWord {
  /** In lower case, with straight apostrophes. */
  word: string
  /** Offset in the text. */
  at: number
  /** As it is written. */
  written: string
}

/** The words of a text: hyphens and points split them, except in numbers. */
export function findWords(text: string): FoundWord[] {
  return Array.from(text.matchAll(WORD), (match) => ({
    word: match[0].toLowerCase().replaceAll('’', "'"),
    at: match.index,
    written: match[0],
  }))
}

/** Brings inflections, British and American spellings, and small numbers in words and digits together. */
export function stemTerm(word: string): string {
  const known = STEMS.get(word)
  if (known !== undefined) return known
  if (STEMS.size >= MAX_KEPT_STEMS) STEMS.clear()
  const stem = NUMBER_WORDS.get(word) ?? (/\d/.test(word) ? word : stemWord(unifySpelling(word)))
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
