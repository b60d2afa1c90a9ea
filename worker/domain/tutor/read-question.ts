import { STOP_WORDS } from '#worker/domain/step/extractive/stop-words.ts'
import { type TutorIndex, weighSpread, weighStem } from './open-index.ts'
import { listSynonyms } from './synonyms.ts'
import { findWords, isAskingWord, isNumberWord, isTerm, stemTerm } from './words.ts'

/** A word of the narration that may stand for a word of the question. */
export interface Match {
  stem: string
  /** 1 for the word itself, less for relatives. */
  gain: number
}

/** One word that a question is about. */
export interface Term {
  stem: string
  /** How specific it is. */
  weight: number
  /** … if only the word itself counts; a word that is never said weighs most. */
  strictWeight: number
  matches: readonly Match[]
}

/** What a passage that answers probably has in it. */
export interface Expectations {
  number: boolean
  cause: boolean
  definition: boolean
  /** It is probably said at the end. */
  ending: boolean
}

/** Two words that follow each other in a question, at least one of which it is about; as stems. */
export interface Pair {
  first: string
  second: string
  weight: number
}

/** A question as the index understands it. */
export interface ReadQuestion {
  terms: readonly Term[]
  pairs: readonly Pair[]
  expects: Expectations
}

/** More is no question; what stands first counts. */
const MAX_QUESTION_CHARS = 600
const MAX_TERMS = 24

const ASKING_WEIGHT = 0.5
/** Of a word with a function word beside it: "the array". */
const HALF_PAIR_WEIGHT = 0.5
/** An everyday word that is never said is weaker evidence of a gap than a name. */
const EVERYDAY_WEIGHT = 0.5
/** Held-out scores fall at 0.5 and at 0.85. */
const SYNONYM_GAIN = 0.7
const INFLECTION_GAIN = 0.7
const MIN_INFLECTED_CHARS = 5
const MIN_COMMON_PREFIX = 4
const MIN_COMMON_SHARE = 0.65
/** Questions after one thing: "What is a callback?" */
const MAX_DEFINED_TERMS = 3

const ASKS_NUMBER =
  /\bhow (?:many|much|big|fast|long|large|old|often|high|far)\b|\b(?:what|which) (?:\w+ )?(?:value|year|number|percent|percentage|rate|ratio|share|size|probability|version|amount)s?\b|^when\b|\band when\b/
const ASKS_CAUSE = /\b(?:why|reason|cause)\b/
const ASKS_DEFINITION = /^what(?:'s| is| are| was| does| do| did) (.*?)\b(?:mean|stand for)?\W*$/

const ASKS_END =
  /\b(?:next (?:video|section|chapter|part|lesson)|after this|at the end|suggested|exercises?|finally|final|last|conclu\w*|homework|challenge)\b/

/** Reads a question in the light of a recording. */
export function readQuestion(index: TutorIndex, question: string): ReadQuestion {
  const text = question.slice(0, MAX_QUESTION_CHARS).toLowerCase().trim().replaceAll('’', "'")
  const asked = findWords(text).map(({ word }) => word)
  const words = new Map(asked.filter(isTerm).map((word) => [stemTerm(word), word]))
  const terms = [...words].slice(0, MAX_TERMS).map(([stem, word]) => makeTerm(index, stem, word))
  return { terms, pairs: pairWords(asked.map(stemTerm), terms), expects: readExpectations(text) }
}

function pairWords(stems: readonly string[], terms: readonly Term[]): Pair[] {
  const weights = new Map(terms.map(({ stem, weight }) => [stem, weight]))
  const pairs = new Map<string, Pair>()
  stems.forEach((second, at) => {
    const first = stems[at - 1]
    if (first === undefined) return
    const [left = 0, right = 0] = [weights.get(first), weights.get(second)]
    const share = left > 0 && right > 0 ? 1 : HALF_PAIR_WEIGHT
    if (left > 0 || right > 0) pairs.set(`${first} ${second}`, { first, second, weight: share * Math.max(left, right) })
  })
  return [...pairs.values()]
}

function readExpectations(text: string): Expectations {
  const defined = ASKS_DEFINITION.exec(text)?.[1]
  const definedTerms = findWords(defined ?? '').filter(({ word }) => isTerm(word)).length
  return {
    number: ASKS_NUMBER.test(text),
    cause: ASKS_CAUSE.test(text),
    definition: definedTerms > 0 && definedTerms <= MAX_DEFINED_TERMS,
    ending: ASKS_END.test(text),
  }
}

function makeTerm(index: TutorIndex, stem: string, word: string): Term {
  const gains = new Map<string, number>()
  for (const [other, gain] of findInflections(index, stem)) gains.set(other, gain)
  for (const other of listSynonyms(stem))
    if (index.places.has(other)) gains.set(other, Math.max(SYNONYM_GAIN, gains.get(other) ?? 0))
  const isSaid = index.places.has(stem)
  if (isSaid) gains.set(stem, 1)
  const matches = Array.from(gains, ([other, gain]) => ({ stem: other, gain }))
  const share = isNumberWord(word) || isAskingWord(stem) ? ASKING_WEIGHT : 1
  const spread = Math.max(0, ...matches.map((match) => index.spread.get(match.stem) ?? 0))
  const everyday = !isSaid && (listSynonyms(stem).size > 0 || STOP_WORDS.has(word)) ? EVERYDAY_WEIGHT : 1
  const strictWeight = share * everyday * weighStem(index, stem)
  return { stem, matches, strictWeight, weight: isSaid ? strictWeight : share * weighSpread(index, spread) }
}

/** Words that begin alike: "recognition" and "recognize", which the stems keep apart. */
function findInflections(index: TutorIndex, stem: string): [string, number][] {
  if (stem.length < MIN_INFLECTED_CHARS || /\d/.test(stem)) return []
  const found: [string, number][] = []
  const head = stem.slice(0, MIN_COMMON_PREFIX)
  for (const other of index.places.keys()) {
    if (other === stem || !other.startsWith(head)) continue
    const share = countCommon(stem, other) / Math.max(stem.length, other.length)
    if (share >= MIN_COMMON_SHARE) found.push([other, INFLECTION_GAIN * share])
  }
  return found
}

function countCommon(left: string, right: string): number {
  let count = 0
  while (count < left.length && left[count] === right[count]) count += 1
  return count
}
