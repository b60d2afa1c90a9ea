import { type Associations, associateWords } from './associate-words.ts'
import type { Passage, Token, TutorIndex } from './open-index.ts'
import type { Expectations, ReadQuestion, Term } from './read-question.ts'

/** What speaks for a passage as the answer to a question; each about 0–1. */
export interface Signs {
  /** Share of the question's words that it has, by weight. */
  covered: number
  /** … and has again. */
  repeated: number
  /** Words of the question stand close together in it. */
  close: number
  /** They stand at its beginning: what answers is said right after the words of the question. */
  early: number
  /** They are said for the first time in the recording. */
  first: number
  /** It has what such a question asks for: a number, a name, a reason, a definition. */
  expected: number
  /** It has words that go with the question's in this recording. */
  associated: number
}

/** The order in which weights are given. */
export const SIGN_NAMES = ['covered', 'repeated', 'close', 'early', 'first', 'expected', 'associated'] as const

/** A passage as a question sees it. */
export interface MeasuredPassage {
  passage: Passage
  signs: Signs
}

/** Where a word of the question stands in a passage. */
interface Hit {
  place: number
  term: number
  gain: number
}

/** Words at a passage's beginning in which the question's are looked for; the rest is room for the answer. */
const MATCH_WORDS = 50
/** BM25's k1: the second mention adds half of the first. */
const SATURATION = 1
const CLOSE_WORDS = 10
/** Hits between two that count as a pair; more would only cost time. */
const CLOSE_HITS = 3
/** Words before the first hit in which an answer may stand. */
const BEFORE_WORDS = 8
const DEFINITION_WORDS = 3
const SAYS_WHAT_IT_IS = /^(?:is|are|was|means?|equals|called|refers|says|defined)$/
const GIVES_CAUSE = /^(?:because|since|reason|cause|due|so)$/
/** Names that make sure that a passage names somebody or something. */
const ENOUGH_NAMES = 2

/** Measures every passage of a recording against a question. */
export function measurePassages(index: TutorIndex, question: ReadQuestion): MeasuredPassage[] {
  const sweep = openSweep(index, question)
  return index.passages.map((passage) => ({ passage, signs: measurePassage(sweep, passage) }))
}

interface Sweep {
  index: TutorIndex
  question: ReadQuestion
  associations: Associations
  /** Stems that belong to the question. */
  own: ReadonlySet<string>
  total: number
  /** All hits of the recording, in order, and the first that may be in the next passage. */
  hits: readonly Hit[]
  next: number
  /** Where each term is said first. */
  firstPlaces: readonly number[]
}

function openSweep(index: TutorIndex, question: ReadQuestion): Sweep {
  const { terms } = question
  const hits = terms.flatMap(({ matches }, term) =>
    matches.flatMap(({ stem, gain }) => (index.places.get(stem) ?? []).map((place) => ({ place, term, gain }))),
  )
  hits.sort((left, right) => left.place - right.place)
  return {
    index,
    question,
    hits,
    next: 0,
    associations: associateWords(index, terms),
    own: new Set(terms.flatMap((term) => term.matches.map((match) => match.stem))),
    total: terms.reduce((sum, term) => sum + term.weight, 0),
    firstPlaces: terms.map((_, term) => hits.find((hit) => hit.term === term)?.place ?? -1),
  }
}

function measurePassage(sweep: Sweep, passage: Passage): Signs {
  const { index, question, total } = sweep
  const hits = takeHits(sweep, passage)
  if (total === 0 || hits.length === 0)
    return { covered: 0, repeated: 0, close: 0, early: 0, first: 0, expected: 0, associated: associate(sweep, passage) }
  const sums = sumTerms(sweep, hits, passage)
  const covered = sums.covered / total
  return {
    covered,
    repeated: sums.repeated / total,
    first: sums.first / total,
    close: pairHits(hits, question.terms) / total,
    early: covered * (1 - meanPosition(hits, question.terms, passage)),
    expected: covered * findExpected(index, question.expects, { passage, hits, own: sweep.own }),
    associated: associate(sweep, passage),
  }
}

/** Passages come in order, so that what lies before one lies before the next. */
function takeHits(sweep: Sweep, { from, to }: Passage): Hit[] {
  while ((sweep.hits[sweep.next]?.place ?? from) < from) sweep.next += 1
  const end = Math.min(to, from + MATCH_WORDS)
  const taken: Hit[] = []
  for (let at = sweep.next; at < sweep.hits.length; at += 1) {
    const hit = sweep.hits[at] as Hit
    if (hit.place >= end) break
    taken.push(hit)
  }
  return taken
}

function sumTerms({ question, firstPlaces }: Sweep, hits: readonly Hit[], { from, to }: Passage) {
  const sums = { covered: 0, repeated: 0, first: 0 }
  question.terms.forEach(({ weight }, term) => {
    let best = 0
    let count = 0
    for (const hit of hits) {
      if (hit.term !== term) continue
      best = Math.max(best, hit.gain)
      count += hit.gain
    }
    if (count === 0) return
    const first = firstPlaces[term] as number
    sums.covered += weight * best
    sums.repeated += weight * Math.max(0, (count * (SATURATION + 1)) / (count + SATURATION) - 1)
    if (first >= from && first < to) sums.first += weight * best
  })
  return sums
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

function meanPosition(hits: readonly Hit[], terms: readonly Term[], { from, to }: Passage): number {
  let sum = 0
  let weights = 0
  for (const hit of hits) {
    const weight = weighHit(hit, terms)
    sum += (weight * (hit.place - from)) / (to - from)
    weights += weight
  }
  return weights === 0 ? 1 : sum / weights
}

function associate({ index, associations }: Sweep, { from, to }: Passage): number {
  if (associations.size === 0) return 0
  const seen = new Set<string>()
  let sum = 0
  for (let place = from; place < to; place += 1) {
    const stem = (index.tokens[place] as Token).stem
    const strength = associations.get(stem)
    if (strength === undefined || seen.has(stem)) continue
    seen.add(stem)
    sum += strength
  }
  return sum
}

interface Place {
  passage: Passage
  hits: readonly Hit[]
  own: ReadonlySet<string>
}

/** How much of what the question expects stands near the question's words. */
function findExpected(index: TutorIndex, expects: Expectations, { passage, hits, own }: Place): number {
  const from = Math.max(passage.from, (hits[0]?.place ?? 0) - BEFORE_WORDS)
  const said = index.tokens.slice(from, passage.to)
  let found = 0
  if (expects.number && said.some(({ stem }) => /^\d/.test(stem) && !own.has(stem))) found += 1
  if (expects.cause && said.some(({ word }) => GIVES_CAUSE.test(word))) found += 1
  if (expects.definition && hits.some(({ place }) => isDefinedAt(index, place))) found += 1
  if (expects.name) {
    const names = said.filter(({ isName, stem }) => isName && !own.has(stem)).length
    found += Math.min(1, names / ENOUGH_NAMES)
  }
  return found
}

function isDefinedAt({ tokens }: TutorIndex, place: number): boolean {
  return tokens.slice(place + 1, place + 1 + DEFINITION_WORDS).some(({ word }) => SAYS_WHAT_IT_IS.test(word))
}
