import { type TutorIndex, weighStem } from './open-index.ts'
import type { Term } from './read-question.ts'
import { isAskingWord } from './words.ts'

/** Words of this recording that are said where the words of a question are said, with their strength, summing to 1. */
export type Associations = ReadonlyMap<string, number>

/** Words of a block of speech in which words count as said together. */
const BLOCK_WORDS = 40
/** A word also counts in the blocks next to its own, by this. */
const NEIGHBOUR_SHARE = 0.5
/** Words of the recording that are taken in; relevance feedback commonly takes 10 to 20 (RM3). */
const MAX_ASSOCIATIONS = 12
/** Log of how much more often than by chance; 0.4 is half again as often. */
const MIN_LIFT = 0.4
/** A word said once goes with everything around it. */
const MIN_PLACES = 2

/**
 * The second signal beside the words themselves: what this speaker talks about when talking about these things, by
 * pointwise mutual information over the recording's own blocks.
 */
export function associateWords(index: TutorIndex, terms: readonly Term[]): Associations {
  const relevance = spreadRelevance(index, terms)
  const total = relevance.reduce((sum, value) => sum + value, 0)
  if (total === 0) return new Map()
  const own = new Set(terms.flatMap((term) => term.matches.map((match) => match.stem)))
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
      for (const place of places) addAround(relevance, Math.floor(place / BLOCK_WORDS), share)
    }
  }
  return relevance
}

function addAround(relevance: Float64Array, block: number, share: number): void {
  relevance[block] = (relevance[block] ?? 0) + share
  if (block > 0) relevance[block - 1] = (relevance[block - 1] ?? 0) + NEIGHBOUR_SHARE * share
  if (block + 1 < relevance.length) relevance[block + 1] = (relevance[block + 1] ?? 0) + NEIGHBOUR_SHARE * share
}

function meanRelevance(relevance: Float64Array, places: readonly number[]): number {
  let sum = 0
  let weight = 0
  for (const place of places) {
    const block = Math.floor(place / BLOCK_WORDS)
    sum += relevance[block] ?? 0
    weight += 1
    if (block > 0) {
      sum += NEIGHBOUR_SHARE * (relevance[block - 1] ?? 0)
      weight += NEIGHBOUR_SHARE
    }
    if (block + 1 < relevance.length) {
      sum += NEIGHBOUR_SHARE * (relevance[block + 1] ?? 0)
      weight += NEIGHBOUR_SHARE
    }
  }
  return sum / weight
}
