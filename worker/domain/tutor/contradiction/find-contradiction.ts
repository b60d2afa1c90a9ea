import type { Said } from '../words/read-clauses.ts'
import { readList, type Stems, stemsOf } from '../words/stem-sets.ts'
import { isCrossed } from './find-crossed.ts'
import { isExchanged } from './find-exchanged.ts'
import { saysOpposite } from './find-opposite.ts'
import { isReordered } from './find-reordered.ts'
import { hasSubstitution } from './find-substitution.ts'
import { speaksOfSame } from './speaks-of-same.ts'
import { turnsStances } from './turns-stances.ts'

/** What a claim says otherwise than its source. */
export type Contradiction =
  | 'opposite'
  | 'unit'
  | 'number'
  | 'swapped'
  | 'all or none'
  | 'denial'
  | 'crossed'
  | 'order'
  | 'other word'

/**
 * Finds what can be told from words alone that a claim turns round: who does what to whom, what a number counts and in
 * which unit, a word whose opposite was said, everybody and nobody, a denial, an order, a word in the place of another
 * one. Other wording alone is none of these.
 * @param source what is said where the claim is from, and right before and after
 */
export function findContradiction(claim: readonly Said[], source: readonly Said[]): Contradiction | null {
  const read = { claim: claim.filter(isItem), source: source.filter(isItem), said: claim, sourceSaid: source }
  if (countUnsaid(read) > MOST_UNSAID) return null
  return CHECKS.find(([, isFound]) => isFound(read))?.[0] ?? null
}

/**
 * Terms of a claim that may be missing in its source: with more of them it is worded freely, and one other word shows
 * little. Chosen on the 160 sentences of `bench/answers/unseen-claims.json`.
 */
const MOST_UNSAID = 2

function countUnsaid({ claim, source }: Read): number {
  const stems = stemsOf(source)
  return claim.filter(({ kind, stem }) => kind === 'term' && !stems.has(stem)).length
}

interface Read {
  /** Terms, numbers and relations. */
  claim: readonly Said[]
  source: readonly Said[]
  /** With all other words. */
  said: readonly Said[]
  sourceSaid: readonly Said[]
}

const CHECKS: readonly (readonly [Contradiction, (read: Read) => boolean])[] = [
  ['unit', hasOtherUnit],
  ['opposite', ({ said, sourceSaid }) => saysOpposite(said, sourceSaid)],
  ['number', countsOther],
  ['swapped', isSwapped],
  ['all or none', turnsQuantity],
  ['denial', turnsDenial],
  ['crossed', ({ said, sourceSaid }) => isCrossed(said, sourceSaid) || isExchanged(said, sourceSaid)],
  ['order', ({ said, sourceSaid }) => isReordered(said, sourceSaid)],
  ['other word', ({ said, sourceSaid }) => hasSubstitution(said, sourceSaid)],
]

function isItem({ kind }: Said): boolean {
  return kind !== 'other'
}

const UNITS =
  readList(`second minute hour day week month year percent degree metre meter centimetre centimeter millimetre millimeter
  kilometre kilometer mile inch foot gram kilogram pound litre liter pixel byte kilobyte megabyte gigabyte bit volt watt ampere newton bar
  dollar euro cent am pm`)

/** The number is said with another unit, and never with that one. */
function hasOtherUnit({ said, sourceSaid }: Read): boolean {
  return said.some(({ kind, stem }, at) => {
    const unit = readUnit(said, at)
    if (kind !== 'number' || unit === '') return false
    const units = sourceSaid.flatMap((word, place) => (word.stem === stem ? [readUnit(sourceSaid, place)] : []))
    return units.some((other) => other !== '') && !units.includes(unit)
  })
}

/** The unit behind a number; empty where none stands there. */
function readUnit(words: readonly Said[], at: number): string {
  const next = words[at + 1]
  return next !== undefined && UNITS.has(next.stem) ? next.stem : ''
}

/** Items before a number in which is said what it is of; what it counts comes right after it. */
const OF_ITEMS = 4
const OF_TERMS = 2
const COUNTED_ITEMS = 2

/** What a number counts, or what it is of, is said with another number, and never with this one. */
function countsOther({ claim, source }: Read): boolean {
  const numbers = [...source.keys()].filter((place) => source[place]?.kind === 'number')
  return claim.some((number, at) => {
    if (number.kind !== 'number') return false
    const others = numbers.filter((place) => source[place]?.stem !== number.stem && speaksOfSame(claim, source, place))
    const same = numbers.filter((place) => source[place]?.stem === number.stem)
    const [counted] = listAfter(claim, at, COUNTED_ITEMS).filter(({ stem }) => has(source, stem))
    if (counted !== undefined && !UNITS.has(counted.stem)) {
      const isCountedBy = (most: number) => (place: number) => has(listAfter(source, place, most), counted.stem)
      if (same.some(isCountedBy(COUNTED_ITEMS))) return false
      if (others.some(isCountedBy(1))) return true
    }
    const of = listBefore(claim, at)
      .filter(({ stem }) => source.some((word) => word.stem === stem))
      .slice(-OF_TERMS)
    if (of.length < 2) return false
    const isOfAll = (place: number) => of.every(({ stem }) => has(listBefore(source, place), stem))
    const isOfAny = (place: number) => of.some(({ stem }) => has(listBefore(source, place), stem))
    return others.some(isOfAll) && !same.some(isOfAny)
  })
}

function has(words: readonly Said[], stem: string): boolean {
  return words.some((word) => word.stem === stem)
}

function listAfter(words: readonly Said[], at: number, most: number): Said[] {
  return words
    .slice(at + 1, at + 1 + most)
    .filter(({ kind, sentence }) => kind === 'term' && sentence === words[at]?.sentence)
}

function listBefore(words: readonly Said[], at: number): Said[] {
  return words
    .slice(Math.max(0, at - OF_ITEMS), at)
    .filter(({ kind, sentence }) => kind === 'term' && sentence === words[at]?.sentence)
}

/** Items of the source that may stand between two that follow each other in the claim. */
const MOST_BETWEEN = 3

/** Words between two of a claim that are in the source in the same order: verbs, "from … to". */
const MOST_LINKS = 3

/** Two words of a claim stand the other way round in the source, and never as in the claim: "Bob pays Alice". */
function isSwapped({ claim, source, said, sourceSaid }: Read): boolean {
  const isPassive = (words: readonly Said[]) => words.some(({ stem }) => stem === 'by')
  if (isPassive(said) !== isPassive(sourceSaid)) return false
  return claim.some((first, at) => {
    if (first.kind === 'relation') return false
    for (let links = 1; links <= MOST_LINKS; links += 1) {
      const last = claim[at + links + 1]
      if (last === undefined || last.kind === 'relation' || last.clause !== first.clause) continue
      if (last.stem === first.stem || (last.kind === 'number') !== (first.kind === 'number')) continue
      const linked = claim.slice(at + 1, at + 1 + links)
      if (linked.some((word) => isSuffered(said, word) && !isSufferedToo(sourceSaid, word))) continue
      // Between numbers stands "to the power of"; between things a noun shows that they are listed rather than related.
      const isListed = linked.some(({ stem }) => isNamed(said, stem) || isNamed(sourceSaid, stem))
      if (isListed && first.kind !== 'number') continue
      const between = linked.map(({ stem }) => stem)
      const own = [first.stem, ...between, last.stem]
      if (follows(source, [last.stem, ...between, first.stem]) && !follows(source, own)) return true
    }
    return false
  })
}

const DETERMINERS = readList('a an the this that these those my your our his her its their')

const AUXILIARIES = readList('is are was were be been gets got')

/** Whether a word is said of what something happens to: "is dragged". */
function isSuffered(said: readonly Said[], word: Said): boolean {
  return word.word.endsWith('ed') && AUXILIARIES.has(said[said.indexOf(word) - 1]?.stem ?? '')
}

/** Whether a word is said of what something happens to wherever it is said. */
function isSufferedToo(said: readonly Said[], { stem }: Said): boolean {
  return said.filter((word) => word.stem === stem).every((word) => isSuffered(said, word))
}

/** Whether a word is a noun somewhere: an article or a number stands before it. */
function isNamed(words: readonly Said[], stem: string): boolean {
  return words.some((word, at) => {
    const before = words[at - 1]
    return word.stem === stem && before !== undefined && (before.kind === 'number' || DETERMINERS.has(before.stem))
  })
}

function follows(source: readonly Said[], stems: readonly string[]): boolean {
  return source.some(({ stem, sentence }, start) => {
    if (stem !== stems[0]) return false
    let place = start
    for (const next of stems.slice(1)) {
      const found = source
        .slice(place + 1, place + 2 + MOST_BETWEEN)
        .findIndex((word) => word.stem === next && word.sentence === sentence)
      if (found === -1) return false
      place += 1 + found
    }
    return true
  })
}

const ALL = readList('all both every everyone everybody everything always')
const NONE = readList('none nobody nothing never no')

/** Share of a claim's terms that a clause has where both speak of the same. */
const SAME_SHARE = 0.6

/** The clause that has most of a claim's terms; empty where none has enough. */
function findSameClause({ claim, source, sourceSaid }: Read): Said[] {
  const terms = stemsOf(claim.filter(({ kind }) => kind === 'term'))
  const counts = new Map<number, Set<string>>()
  for (const { clause, stem } of source)
    if (terms.has(stem)) counts.set(clause, (counts.get(clause) ?? new Set()).add(stem))
  const [best] = [...counts].toSorted(([, left], [, right]) => right.size - left.size)
  return best !== undefined && best[1].size >= SAME_SHARE * terms.size
    ? sourceSaid.filter(({ clause }) => clause === best[0])
    : []
}

/** "Everybody" where nobody was said, and the other way round. */
function turnsQuantity(read: Read): boolean {
  const hasAny = (words: readonly Said[], list: Stems) => words.some(({ stem }) => list.has(stem))
  const same = findSameClause(read)
  const turns = (own: Stems, other: Stems) =>
    hasAny(read.said, own) && !hasAny(read.said, other) && hasAny(same, other) && !hasAny(same, own)
  // Not by its stem, which is "on".
  const isLimited = (words: readonly Said[]) => words.some(({ word }) => word === 'only')
  const widens = isLimited(same) && !isLimited(read.said) && hasAny(read.said, ALL) && !hasAny(same, ALL)
  const narrows = isLimited(read.said) && !isLimited(same) && hasAny(same, ALL) && !hasAny(read.said, ALL)
  return turns(ALL, NONE) || turns(NONE, ALL) || widens || narrows
}

/** With these a denial may be another wording: "keeps it from rolling" for "cannot roll". */
const SOFT = readList(
  'keep prevent stop instead rather only until unless without avoid fail lack miss just except hardly ignore few little',
)

/**
 * All that both say is denied in one of them alone, or, in a claim that denies nothing, the second of two words that
 * follow each other is denied wherever they are said.
 */
function turnsDenial(read: Read): boolean {
  const { claim, source, said } = read
  const same = findSameClause(read)
  const shared = claim.flatMap((word) => {
    const found = same.find(({ kind, stem }) => kind === 'term' && stem === word.stem)
    return word.kind === 'term' && found !== undefined ? [word.isDenied !== found.isDenied] : []
  })
  if (said.some(({ stem }) => SOFT.has(stem))) return false
  if (turnsStances(claim, source)) return true
  if (shared.length >= 2 && shared.every(Boolean)) return true
  if (said.some(({ isDenied }) => isDenied)) return false
  return claim.some((first, at) => {
    const second = claim[at + 1]
    if (first.kind !== 'term' || second?.kind !== 'term' || second.clause !== first.clause) return false
    const found = findPairs(source, first.stem, second.stem)
    return found.length > 0 && found.every(({ isDenied }) => isDenied)
  })
}

/** The second words of all places where two follow each other in a clause. */
function findPairs(source: readonly Said[], first: string, second: string): Said[] {
  return source.flatMap((word, at) => {
    if (word.stem !== first) return []
    const near = source.slice(at + 1, at + 1 + MOST_BETWEEN)
    return near.find(({ stem, clause }) => stem === second && clause === word.clause) ?? []
  })
}
