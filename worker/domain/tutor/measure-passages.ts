import type { Passage, Token, TutorIndex } from './open-index.ts'
import { associateWords, findPhrases, GIVES_CAUSE, isDefinedAt, type ReadQuestion, type Term } from './read-question.ts'
import { RANK_WEIGHTS } from './tutor-weights.ts'

/** The signs that a passage answers a question, by the names of {@link RANK_WEIGHTS}. */
export type Signs = Record<keyof typeof RANK_WEIGHTS, number>

/** The order in which weights are given. */
export const SIGN_NAMES = Object.keys(RANK_WEIGHTS) as (keyof Signs)[]

/** A passage with its signs for one question. */
export interface MeasuredPassage {
  passage: Passage
  signs: Signs
  /** Share of the question, by weight, whose words are in the passage or right next to it. */
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
/** Words before and after a passage that count as next to it. */
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

type Sweep = ReturnType<typeof openSweep>

function openSweep(index: TutorIndex, question: ReadQuestion) {
  const { terms, pairs } = question
  const total = terms.reduce((sum, term) => sum + term.weight, 0)
  const own = new Set(terms.flatMap((term) => term.matches.map((match) => match.stem)))
  const hits = terms.flatMap(({ matches }, term) =>
    matches.flatMap(({ stem, gain }) =>
      (index.places.get(stem) ?? []).map((place) => ({ place, term, gain, together: 0 })),
    ),
  )
  hits.sort((left, right) => left.place - right.place)
  hits.forEach((hit, hitIndex) => {
    hit.together = sumSentence(hits, hitIndex, terms) / total
  })
  return {
    index,
    question,
    total,
    /** All hits of the recording, in order, and the first that may be at the next passage. */
    hits,
    next: 0,
    /** Where words of the question follow each other, in order, and the first that may be in the next passage. */
    phrases: findPhrases(index, pairs),
    nextPhrase: 0,
    /** Words that go with those of the question: where they stand, in order, and the first that may be in the next passage. */
    associations: Array.from(associateWords(index, terms, own), ([stem, strength]) => ({
      strength,
      places: index.places.get(stem) ?? [],
      next: 0,
    })),
    own,
    /** Where each term is said first. */
    firstPlaces: terms.map((_, term) => hits.find((hit) => hit.term === term)?.place ?? -1),
  }
}

function sumSentence(hits: readonly Hit[], first: number, terms: readonly Term[]): number {
  const gains = new Map<number, number>()
  const end = (hits[first] as Hit).place + SENTENCE_WORDS
  for (let index = first; index < hits.length; index += 1) {
    const { place, term, gain } = hits[index] as Hit
    if (place >= end) break
    gains.set(term, Math.max(gains.get(term) ?? 0, gain))
  }
  return [...gains].reduce((sum, [term, gain]) => sum + gain * (terms[term]?.weight ?? 0), 0)
}

function measurePassage(sweep: Sweep, passage: Passage): MeasuredPassage {
  const middle = (passage.from + passage.to) / 2 / sweep.index.tokens.length
  const hits = takeHits(sweep, passage)
  // Most passages have nothing of a question, and a long recording has thousands of them.
  const found = hits.length === 0 ? NOTHING_FOUND : measureHits(sweep, passage, hits)
  const signs = {
    ...found.signs,
    associated: associate(sweep, passage),
    opening: Math.max(0, 1 - middle / OPENING_SHARE),
    closing: sweep.question.expects.ending ? 0 : Math.max(0, 1 - (1 - middle) / CLOSING_SHARE),
  }
  return { passage, signs, share: found.share }
}

function measureHits(sweep: Sweep, passage: Passage, hits: readonly Hit[]) {
  const { index, question, own } = sweep
  const { expects, terms } = question
  const inside = hits.filter(({ place }) => place >= passage.from && place < passage.to)
  const early = inside.filter(({ place }) => place < passage.from + EARLY_WORDS)
  const shares = sumShares(sweep, hits, passage)
  const total = sweep.total || 1
  const says = (isSaid: (token: Token) => boolean) => index.tokens.slice(passage.from, passage.to).some(isSaid)
  const signs = {
    covered: shares.beside * (2 - shares.beside),
    exact: shares.exact,
    together: inside.reduce((best, hit) => Math.max(best, hit.together), 0),
    before: shares.before,
    first: shares.first,
    phrased: sumPhrases(sweep, passage) / total,
    repeated: sumRepeated(early, terms) / total,
    close: pairHits(early, terms) / total,
    number: expects.number && says(({ stem }) => /^\d/.test(stem) && !own.has(stem)) ? shares.inside : 0,
    cause: expects.cause && says(({ word }) => GIVES_CAUSE.test(word)) ? shares.inside : 0,
    defined: expects.definition && inside.some(({ place }) => isDefinedAt(index, place)) ? shares.inside : 0,
  }
  return { signs, share: shares.beside }
}

const NOTHING_FOUND = { signs: Object.fromEntries(SIGN_NAMES.map((name) => [name, 0])) as Signs, share: 0 }

/** Passages come in order, so a hit before one of them is also before the next and can be skipped. */
function takeHits(sweep: Sweep, { from, to }: Passage): Hit[] {
  const start = from - BEFORE_WORDS
  while ((sweep.hits[sweep.next]?.place ?? start) < start) sweep.next += 1
  const taken: Hit[] = []
  for (let index = sweep.next; index < sweep.hits.length; index += 1) {
    const hit = sweep.hits[index] as Hit
    if (hit.place >= to + BESIDE_AFTER_WORDS) break
    taken.push(hit)
  }
  return taken
}

const NO_SHARES = { beside: 0, inside: 0, exact: 0, before: 0, first: 0 }

/** Shares of the question, by weight, by where its words stand; each word counts once, by its best match. */
function sumShares({ question, total, firstPlaces }: Sweep, hits: readonly Hit[], { from, to }: Passage) {
  const bests = question.terms.map(() => ({ ...NO_SHARES }))
  for (const { place, gain, term } of hits) {
    const best = bests[term] as typeof NO_SHARES
    if (place < from) best.before = Math.max(best.before, gain)
    if (place >= from - BESIDE_BEFORE_WORDS) best.beside = Math.max(best.beside, gain)
    if (place < from || place >= to) continue
    best.inside = Math.max(best.inside, gain)
    if (gain === 1) best.exact = 1
    if (place === firstPlaces[term] && place < from + EARLY_WORDS) best.first = gain
  }
  const shares = { ...NO_SHARES }
  bests.forEach((best, term) => {
    const share = (question.terms[term]?.weight ?? 0) / (total || 1)
    for (const name of Object.keys(shares) as (keyof typeof shares)[]) shares[name] += share * best[name]
  })
  return shares
}

function sumPhrases(sweep: Sweep, { from, to }: Passage): number {
  while ((sweep.phrases[sweep.nextPhrase]?.place ?? from) < from) sweep.nextPhrase += 1
  const seen = new Set<number>()
  let sum = 0
  for (let index = sweep.nextPhrase; index < sweep.phrases.length; index += 1) {
    const { place, pair, weight } = sweep.phrases[index] as Sweep['phrases'][number]
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
  const weigh = ({ term, gain }: Hit) => (terms[term]?.weight ?? 0) * gain
  const pairs = new Map<number, number>()
  hits.forEach((hit, index) => {
    for (let before = Math.max(0, index - CLOSE_HITS); before < index; before += 1) {
      const other = hits[before] as Hit
      const distance = hit.place - other.place
      if (distance > CLOSE_WORDS || distance === 0 || other.term === hit.term) continue
      const key = Math.min(hit.term, other.term) * terms.length + Math.max(hit.term, other.term)
      const weight = Math.min(weigh(hit), weigh(other))
      pairs.set(key, Math.max(pairs.get(key) ?? 0, weight / distance))
    }
  })
  return [...pairs.values()].reduce((sum, value) => sum + value, 0)
}

function associate({ associations }: Sweep, { from, to }: Passage): number {
  let sum = 0
  for (const association of associations) {
    while ((association.places[association.next] ?? from) < from) association.next += 1
    if ((association.places[association.next] ?? to) < to) sum += association.strength
  }
  return sum
}
