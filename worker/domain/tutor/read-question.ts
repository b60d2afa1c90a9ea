import type { EarlierTurn } from '#contract/tutor.ts'
import { STOP_WORDS } from '#worker/domain/step/extractive/word-lists.ts'
import { type TutorIndex, weighSpread, weighStem } from './open-index.ts'
import { listSynonyms } from './words/synonyms.ts'
import { findWords, isAskingWord, isNumberWord, isTerm, stemTerm } from './words/words.ts'

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

/** Two words that follow each other in a question, at least one of which it is about; as stems. */
interface Pair {
  first: string
  second: string
  weight: number
}

/** A question as the index understands it. */
export interface ReadQuestion {
  terms: readonly Term[]
  pairs: readonly Pair[]
  /** What a passage that answers probably has in it; `action`: an instruction; `ending`: it is probably said at the end. */
  expects: Record<'number' | 'cause' | 'definition' | 'action' | 'ending', boolean>
}

/** More is no question; what stands first counts. */
const MAX_QUESTION_CHARS = 600
const MAX_TERMS = 24

const ASKING_WEIGHT = 0.5
/** For a word next to a function word: "the array". */
const HALF_PAIR_WEIGHT = 0.5
/**
 * An everyday word that is never said is weaker evidence of a gap than a name, unless it stands between two words that
 * are said, and nothing like it is: "list hidden files" is not answered by what is said of listing files.
 */
const EVERYDAY_WEIGHT = 0.5
/** Says how something is done, so it narrows nothing: "safely list files" asks for what "list files" does. */
const ADVERB = /ly$/
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
const ASKS_ACTION = /^(?:how (?:do|can|to|should)|what (?:do|should) (?:i|you|we))\b/

const ASKS_END =
  /\b(?:next (?:video|section|chapter|part|lesson)|after this|at the end|suggested|exercises?|finally|final|last|conclu\w*|homework|challenge)\b/

/** Reads a question in the light of a recording. */
export function readQuestion(index: TutorIndex, question: string): ReadQuestion {
  const text = question.slice(0, MAX_QUESTION_CHARS).toLowerCase().trim().replaceAll('’', "'")
  const questionWords = findWords(text)
  const words = new Map(questionWords.filter(isTerm).map((word) => [stemTerm(word), word]))
  const isSaid = (word: string) => isTerm(word) && index.places.has(stemTerm(word))
  const isBetween = (position: number) =>
    isSaid(questionWords[position - 1] ?? '') && isSaid(questionWords[position + 1] ?? '')
  const narrowing = new Set(
    questionWords.filter((word, position) => isBetween(position) && !ADVERB.test(word)).map(stemTerm),
  )
  const terms = [...words].slice(0, MAX_TERMS).map(([stem, word]) => makeTerm(index, { stem, word, narrowing }))
  return { terms, pairs: pairWords(questionWords.map(stemTerm), terms), expects: readExpectations(text) }
}

function pairWords(stems: readonly string[], terms: readonly Term[]): Pair[] {
  const weights = new Map(terms.map(({ stem, weight }) => [stem, weight]))
  const pairs = new Map<string, Pair>()
  stems.forEach((second, index) => {
    const first = stems[index - 1]
    if (first === undefined) return
    const [left = 0, right = 0] = [weights.get(first), weights.get(second)]
    const share = left > 0 && right > 0 ? 1 : HALF_PAIR_WEIGHT
    if (left > 0 || right > 0) pairs.set(`${first} ${second}`, { first, second, weight: share * Math.max(left, right) })
  })
  return [...pairs.values()]
}

function readExpectations(text: string): ReadQuestion['expects'] {
  const defined = ASKS_DEFINITION.exec(text)?.[1]
  const definedTerms = findWords(defined ?? '').filter(isTerm).length
  return {
    number: ASKS_NUMBER.test(text),
    cause: ASKS_CAUSE.test(text),
    definition: definedTerms > 0 && definedTerms <= MAX_DEFINED_TERMS,
    action: ASKS_ACTION.test(text),
    ending: ASKS_END.test(text),
  }
}

function makeTerm(
  index: TutorIndex,
  { stem, word, narrowing }: { stem: string; word: string; narrowing: ReadonlySet<string> },
): Term {
  const gains = new Map(findInflections(index, stem))
  for (const other of listSynonyms(stem))
    if (index.places.has(other)) gains.set(other, Math.max(SYNONYM_GAIN, gains.get(other) ?? 0))
  const isSaid = index.places.has(stem)
  if (isSaid) gains.set(stem, 1)
  const matches = Array.from(gains, ([other, gain]) => ({ stem: other, gain }))
  const share = isNumberWord(word) || isAskingWord(stem) ? ASKING_WEIGHT : 1
  const spread = Math.max(0, ...matches.map((match) => index.spread.get(match.stem) ?? 0))
  const isNarrowing = narrowing.has(stem) && matches.length === 0
  const isEveryday = STOP_WORDS.has(word) || (listSynonyms(stem).size > 0 && !isNarrowing)
  const everyday = !isSaid && isEveryday ? EVERYDAY_WEIGHT : 1
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
    let common = head.length
    while (common < stem.length && stem[common] === other[common]) common += 1
    const share = common / Math.max(stem.length, other.length)
    if (share >= MIN_COMMON_SHARE) found.push([other, INFLECTION_GAIN * share])
  }
  return found
}

/**
 * Finds where words follow each other as in a question, in the order of the recording.
 * @returns with the place of the first of them, and the index of their pair
 */
export function findPhrases({ places, tokens }: TutorIndex, pairs: readonly Pair[]) {
  const phrases = pairs.flatMap(({ first, second, weight }, pair) => {
    const starts = places.get(first) ?? (places.get(second) ?? []).map((place) => place - 1)
    return starts
      .filter((place) => tokens[place]?.stem === first && tokens[place + 1]?.stem === second)
      .map((place) => ({ place, pair, weight }))
  })
  return phrases.sort((left, right) => left.place - right.place)
}

/** A word with which a reason is given. */
export const GIVES_CAUSE = /^(?:because|since|reason|cause|due|so)$/
/** A definition stands within this many words of the name that it defines. */
const DEFINITION_WORDS = 3
const SAYS_WHAT_IT_IS = /^(?:is|are|was|means?|equals|called|refers|says|defined)$/
const SAYS_ITS_NAME = /^(?:called|call|known|named?|defined?|means?|term)$/

/** True where it is said what the word at a place is ("a callback is …") or what is called so ("known as the prior"). */
export function isDefinedAt({ tokens }: TutorIndex, place: number): boolean {
  const after = tokens.slice(place + 1, place + 1 + DEFINITION_WORDS)
  const before = tokens.slice(Math.max(0, place - DEFINITION_WORDS), place)
  return after.some(({ word }) => SAYS_WHAT_IT_IS.test(word)) || before.some(({ word }) => SAYS_ITS_NAME.test(word))
}

/** Words of a block of speech in which words count as said together. */
const BLOCK_WORDS = 40
/** A word also counts in the blocks next to its own, by this. */
const NEIGHBOUR_SHARE = 0.5
const AROUND = [0, -1, 1]
/** Words of the recording that are taken in; relevance feedback commonly takes 10 to 20 (RM3). */
const MAX_ASSOCIATIONS = 12
/** Log of how much more often than by chance; 0.4 is half again as often. */
const MIN_LIFT = 0.4
/** A word said once goes with everything around it. */
const MIN_PLACES = 2

/**
 * The second signal beside the words themselves: what this speaker talks about when talking about these things, by
 * pointwise mutual information over the recording's own blocks.
 * @param own stems that belong to the question
 * @returns stems that are said where those of the question are said, with their strength, summing to 1
 */
export function associateWords(index: TutorIndex, terms: readonly Term[], own: ReadonlySet<string>) {
  const relevance = spreadRelevance(index, terms)
  const total = relevance.reduce((sum, value) => sum + value, 0)
  if (total === 0) return new Map<string, number>()
  const chance = total / relevance.length
  const found: [string, number][] = []
  for (const [stem, places] of index.places) {
    if (places.length < MIN_PLACES || own.has(stem) || isAskingWord(stem)) continue
    const lift = Math.log(meanRelevance(relevance, places) / chance)
    if (lift > MIN_LIFT) found.push([stem, lift * weighStem(index, stem)])
  }
  const strongest = found.sort((left, right) => right[1] - left[1]).slice(0, MAX_ASSOCIATIONS)
  const sum = strongest.reduce((before, [, strength]) => before + strength, 0)
  return new Map(strongest.map(([stem, strength]) => [stem, strength / sum]))
}

/** How much each block has of the question's words. */
function spreadRelevance(index: TutorIndex, terms: readonly Term[]): Float64Array {
  const relevance = new Float64Array(Math.max(1, Math.ceil(index.tokens.length / BLOCK_WORDS)))
  for (const { weight, matches } of terms) {
    for (const { stem, gain } of matches) {
      const places = index.places.get(stem) ?? []
      const share = (weight * gain) / Math.sqrt(2 * places.length)
      for (const place of places) {
        for (const offset of AROUND) {
          const block = Math.floor(place / BLOCK_WORDS) + offset
          // Outside of the recording nothing is written.
          relevance[block] = (relevance[block] ?? 0) + (offset === 0 ? share : NEIGHBOUR_SHARE * share)
        }
      }
    }
  }
  return relevance
}

function meanRelevance(relevance: Float64Array, places: readonly number[]): number {
  let sum = 0
  let weight = 0
  for (const place of places) {
    for (const offset of AROUND) {
      const value = relevance[Math.floor(place / BLOCK_WORDS) + offset]
      const share = offset === 0 ? 1 : NEIGHBOUR_SHARE
      sum += share * (value ?? 0)
      weight += value === undefined ? 0 : share
    }
  }
  return sum / weight
}

/** A question that means something only with what was answered before. */
export interface FollowUp {
  /**
   * `next`: what comes after the moment that was cited; `again`: that moment once more; `more`: the question has no
   * subject of its own; `joined`: it has words of its own beside a "that" or "it".
   */
  kind: 'next' | 'again' | 'more' | 'joined'
  /** The last turn that was answered from the video; null where there is none. */
  of: EarlierTurn | null
  /** The words of the question that name what it is about. */
  own: readonly string[]
  /** The question with the words of the subject that it refers to. */
  question: string
}

const START = String.raw`^(?:(?:ok|okay|and|so|but|great|right|got it|please|well) )*`
const END = '(?: please)?$'
const AFTER = '(?: after (?:that|this|it))'
const NEXT = new RegExp(
  `${START}(?:(?:and )?then(?: what)?|what then|what(?:'s| is| comes| happens| do i do| should i do)? (?:next|then|now)|what(?:'s| is| comes| happens| do i do| should i do)${AFTER}|next|${AFTER.slice(4, -1)}|go on|continue|what else)${END}`,
)
const SAY = '(?:explain|repeat|show|say|tell|play)'
const AGAIN = new RegExp(
  `${START}(?:(?:can|could|would|will) you )?(?:please )?(?:(?:${SAY}(?: me)?(?: (?:that|this|it))?(?: to me)? )?(?:again|once more|one more time)|repeat(?: (?:that|this|it))?|i (?:don't|didn't|do not|did not) (?:understand|get|follow)(?: (?:that|this|it))?|come again|pardon)${END}`,
)
/** Points at what was said; "this" and "here" point at the video as it is shown. */
const POINTS_BACK = /\b(?:it|its|that|they|them|those|the other one|what about|how about)\b/
/** Asks about the video itself, whose subject it names. */
const OF_VIDEO =
  /\b(?:video|recording|clip|lesson|tutorial|training|presenter|speaker|author|narrator|trainer|teacher)\b/
const POINTS_AT_NOW = /\b(?:this|here)\b/
/** Words by which people ask that name no subject; "one" stands for what was named. */
const EMPTY = new Set(
  'one ones long often important necessary matter come please sure exactly'.split(' ').map(stemTerm),
)
/** A question with more words of its own needs no other subject. */
const MAX_OWN_WORDS = 2

/**
 * Reads whether a question refers to what was answered before. Refusals and thanks are no subject.
 * @param earlier oldest first
 * @returns null for a question that stands for itself
 */
export function readFollowUp(question: string, earlier: readonly EarlierTurn[]): FollowUp | null {
  const text = tidy(question)
  const of = earlier.findLast(isAnswered) ?? null
  const own = listSubjectWords(text)
  const read = { of, own, question: joinSubject(question, earlier) }
  if (NEXT.test(text)) return { kind: 'next', ...read }
  if (AGAIN.test(text)) return { kind: 'again', ...read }
  if (of === null || !isDependent(text, own)) return null
  return { kind: own.length === 0 ? 'more' : 'joined', ...read }
}

function tidy(question: string): string {
  return question
    .toLowerCase()
    .replaceAll('’', "'")
    .replace(/[^\p{L}\p{N}' ]/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim()
}

function isAnswered({ meta }: EarlierTurn): boolean {
  return meta !== null && meta.isCovered && (meta.citations.length > 0 || meta.step !== null)
}

function isDependent(text: string, own: readonly string[]): boolean {
  if (findWords(text).length === 0 || OF_VIDEO.test(text)) return false
  if (own.length === 0) return !POINTS_AT_NOW.test(text)
  return own.length <= MAX_OWN_WORDS && POINTS_BACK.test(text)
}

/** Lists the words of a question that name what it is about. */
export function listSubjectWords(question: string): string[] {
  return findWords(question).filter(
    (word) => isTerm(word) && !isAskingWord(stemTerm(word)) && !EMPTY.has(stemTerm(word)),
  )
}

/** The subject is that of the last answered question which names one. */
function joinSubject(question: string, earlier: readonly EarlierTurn[]): string {
  const subjects = earlier.filter(isAnswered).map((turn) => listSubjectWords(turn.question))
  const subject = subjects.findLast((words) => words.length > 0) ?? []
  return [question, ...subject].join(' ')
}
