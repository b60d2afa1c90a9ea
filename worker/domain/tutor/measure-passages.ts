import type { Passage, Token, TutorIndex } from './open-index.ts'
import {
  type Associations,
  associateWords,
  findPhrases,
  hasCause,
  hasNumber,
  isDefinedAt,
  type Phrase,
  type ReadQuestion,
  type Term,
} from './read-question.ts'

/** What speaks for a passage as the answer to a question; each about 0–1. Shares are of the question, by weight. */
export interface Signs {
  /** Share that it has or that is said right beside it; the first words count most. */
  covered: number
  /** Share that it has in the question's own words. */
  exact: number
  /** Share that one sentence of it has. */
  together: number
  /** Share that is said right before it: answers come after the words of the question. */
  before: number
  /** Share that is said in it for the first time in the recording. */
  first: number
  /** Words that follow each other in the question do so in it, function words included. */
  phrased: number
  /** Words of the question are said in it many times. */
  repeated: number
  /** Words of the question stand close together in it. */
  close: number
  /** It has a number where one is asked for. */
  number: number
  /** It gives a reason where one is asked for. */
  cause: number
  /** It says what the thing is where that is asked for. */
  defined: number
  /** It has words that go with the question's in this recording. */
  associated: number
  /** It stands where recordings say what is to come … */
  opening: number
  /** … and where they sum up, unless the question is about the end. */
  closing: number
}

/** The order in which weights are given. */
export const SIGN_NAMES = [
  'covered',
  'exact',
  'together',
  'before',
  'first',
  'phrased',
  'repeated',
  'close',
  'number',
  'cause',
  'defined',
  'associated',
  'opening',
  'closing',
] as const

/** A passage as a question sees it. */
export interface MeasuredPassage {
  passage: Passage
  signs: Signs
  /** Share of the question, by weight, that it has or that is said right beside it. */
  share: number
}

/** Where a word of the question stands in the recording. */
interface Hit {
  place: number
  term: number
  gain: number
  /** Share of the question that is said from here on within a sentence. */
  together: number
}

/** Words at a passage's beginning in which some signs look for the question's; the rest is room for the answer. */
const EARLY_WORDS = 50
/** BM25's k1: the second mention adds half of the first. */
const SATURATION = 1
/** Words before and after a passage that count as said beside it. */
const BESIDE_BEFORE_WORDS = 20
const BESIDE_AFTER_WORDS = 10
/** Words before a passage after which its answer may come. */
const BEFORE_WORDS = 30
/** Words of one spoken sentence. */
const SENTENCE_WORDS = 15
const CLOSE_WORDS = 10
/** Hits between two that count as a pair; more would only cost time. */
const CLOSE_HITS = 3
/** Shares of a recording at its two ends that are introduction and summary. */
const OPENING_SHARE = 0.05
const CLOSING_SHARE = 0.08

/** Measures every passage of a recording against a question. */
export function measurePassages(index: TutorIndex, question: ReadQuestion): MeasuredPassage[] {
  const sweep = openSweep(index, question)
  return index.passages.map((passage) => measurePassage(sweep, passage))
}

interface Sweep {
  index: TutorIndex
  question: ReadQuestion
  associations: Associations
  /** Stems that belong to the question. */
  own: ReadonlySet<string>
  total: number
  /** All hits of the recording, in order, and the first that may be at the next passage. */
  hits: readonly Hit[]
  next: number
  /** Where words of the question follow each other, in order, and the first that may be in the next passage. */
  phrases: readonly Phrase[]
  nextPhrase: number
  /** Where each term is said first. */
  firstPlaces: readonly number[]
}

function openSweep(index: TutorIndex, question: ReadQuestion): Sweep {
  const { terms, pairs } = question
  const total = terms.reduce((sum, term) => sum + term.weight, 0)
  const hits = terms.flatMap(({ matches }, term) =>
    matches.flatMap(({ stem, gain }) =>
      (index.places.get(stem) ?? []).map((place) => ({ place, term, gain, together: 0 })),
    ),
  )
  hits.sort((left, right) => left.place - right.place)
  hits.forEach((hit, at) => {
    hit.together = sumSentence(hits, at, terms) / total
  })
  return {
    index,
    question,
    hits,
    total,
    next: 0,
    phrases: findPhrases(index, pairs),
    nextPhrase: 0,
    associations: associateWords(index, terms),
    own: new Set(terms.flatMap((term) => term.matches.map((match) => match.stem))),
    firstPlaces: terms.map((_, term) => hits.find((hit) => hit.term === term)?.place ?? -1),
  }
}

function sumSentence(hits: readonly Hit[], first: number, terms: readonly Term[]): number {
  const gains = new Map<number, number>()
  const end = (hits[first] as Hit).place + SENTENCE_WORDS
  for (let at = first; at < hits.length; at += 1) {
    const { place, term, gain } = hits[at] as Hit
    if (place >= end) break
    gains.set(term, Math.max(gains.get(term) ?? 0, gain))
  }
  let sum = 0
  for (const [term, gain] of gains) sum += gain * (terms[term]?.weight ?? 0)
  return sum
}

function measurePassage(sweep: Sweep, passage: Passage): MeasuredPassage {
  const { index, question, own } = sweep
  const { expects, terms } = question
  const hits = takeHits(sweep, passage)
  const inside = hits.filter(({ place }) => place >= passage.from && place < passage.to)
  const early = inside.filter(({ place }) => place < passage.from + EARLY_WORDS)
  const shares = sumShares(sweep, hits, passage)
  const total = sweep.total || 1
  const said = index.tokens.slice(passage.from, passage.to)
  const middle = (passage.from + passage.to) / 2 / index.tokens.length
  const signs = {
    covered: shares.beside * (2 - shares.beside),
    exact: shares.exact,
    together: inside.reduce((best, hit) => Math.max(best, hit.together), 0),
    before: shares.before,
    first: shares.first,
    phrased: sumPhrases(sweep, passage) / total,
    repeated: sumRepeated(early, terms) / total,
    close: pairHits(early, terms) / total,
    number: expects.number && hasNumber(said, own) ? shares.inside : 0,
    cause: expects.cause && hasCause(said) ? shares.inside : 0,
    defined: expects.definition && inside.some(({ place }) => isDefinedAt(index, place)) ? shares.inside : 0,
    associated: associate(sweep, said),
    opening: Math.max(0, 1 - middle / OPENING_SHARE),
    closing: expects.ending ? 0 : Math.max(0, 1 - (1 - middle) / CLOSING_SHARE),
  }
  return { passage, signs, share: shares.beside }
}

/** Passages come in order, so that what lies before one lies before the next. */
function takeHits(sweep: Sweep, { from, to }: Passage): Hit[] {
  const start = from - BEFORE_WORDS
  while ((sweep.hits[sweep.next]?.place ?? start) < start) sweep.next += 1
  const taken: Hit[] = []
  for (let at = sweep.next; at < sweep.hits.length; at += 1) {
    const hit = sweep.hits[at] as Hit
    if (hit.place >= to + BESIDE_AFTER_WORDS) break
    taken.push(hit)
  }
  return taken
}

interface Shares {
  beside: number
  inside: number
  exact: number
  before: number
  first: number
}

/** Shares of the question, by weight, by where its words stand; each word counts once, by its best match. */
function sumShares(sweep: Sweep, hits: readonly Hit[], passage: Passage): Shares {
  const { terms } = sweep.question
  const bests = terms.map(() => ({ beside: 0, inside: 0, exact: 0, before: 0, first: 0 }))
  for (const hit of hits) placeHit(bests[hit.term] as Shares, hit, { passage, sweep })
  const shares = { beside: 0, inside: 0, exact: 0, before: 0, first: 0 }
  bests.forEach((best, term) => {
    const share = (terms[term]?.weight ?? 0) / (sweep.total || 1)
    shares.beside += share * best.beside
    shares.inside += share * best.inside
    shares.exact += share * best.exact
    shares.before += share * best.before
    shares.first += share * best.first
  })
  return shares
}

function placeHit(best: Shares, { place, gain, term }: Hit, at: { passage: Passage; sweep: Sweep }): void {
  const { from, to } = at.passage
  if (place < from) best.before = Math.max(best.before, gain)
  if (place >= from - BESIDE_BEFORE_WORDS) best.beside = Math.max(best.beside, gain)
  if (place < from || place >= to) return
  best.inside = Math.max(best.inside, gain)
  if (gain === 1) best.exact = 1
  if (place === at.sweep.firstPlaces[term] && place < from + EARLY_WORDS) best.first = gain
}

function sumPhrases(sweep: Sweep, { from, to }: Passage): number {
  while ((sweep.phrases[sweep.nextPhrase]?.place ?? from) < from) sweep.nextPhrase += 1
  const seen = new Set<number>()
  let sum = 0
  for (let at = sweep.nextPhrase; at < sweep.phrases.length; at += 1) {
    const { place, pair, weight } = sweep.phrases[at] as Phrase
    if (place >= to) break
    if (!seen.has(pair)) sum += weight
    seen.add(pair)
  }
  return sum
}

function sumRepeated(hits: readonly Hit[], terms: readonly Term[]): number {
  const counts = terms.map(() => 0)
  for (const { term, gain } of hits) counts[term] = (counts[term] ?? 0) + gain
  return terms.reduce((sum, { weight }, term) => {
    const count = counts[term] ?? 0
    return sum + weight * Math.max(0, (count * (SATURATION + 1)) / (count + SATURATION) - 1)
  }, 0)
}

/** Each pair of different words counts once, where they are closest. */
function pairHits(hits: readonly Hit[], terms: readonly Term[]): number {
  const pairs = new Map<number, number>()
  hits.forEach((hit, at) => {
    for (let before = Math.max(0, at - CLOSE_HITS); before < at; before += 1) {
      const other = hits[before] as Hit
      const distance = hit.place - other.place
      if (distance > CLOSE_WORDS || distance === 0 || other.term === hit.term) continue
      const key = Math.min(hit.term, other.term) * terms.length + Math.max(hit.term, other.term)
      const weight = Math.min(weighHit(hit, terms), weighHit(other, terms))
      pairs.set(key, Math.max(pairs.get(key) ?? 0, weight / distance))
    }
  })
  let sum = 0
  for (const value of pairs.values()) sum += value
  return sum
}

function weighHit({ term, gain }: Hit, terms: readonly Term[]): number {
  return (terms[term]?.weight ?? 0) * gain
}

function associate({ associations }: Sweep, said: readonly Token[]): number {
  if (associations.size === 0) return 0
  const seen = new Set<string>()
  let sum = 0
  for (const { stem } of said) {
    const strength = associations.get(stem)
    if (strength === undefined || seen.has(stem)) continue
    seen.add(stem)
    sum += strength
  }
  return sum
}
