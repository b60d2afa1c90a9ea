import type { Said } from '../words/read-clauses.ts'
import { listShared, readList, stemsOf } from '../words/stem-sets.ts'
import { isOpposite } from './exclusive-words.ts'

/**
 * Words on either side of a word that show what it is said of, how many terms of them are said in both places, and
 * which share of all. */
const CONTEXT_WORDS = 6
const CONTEXT_SHARED = 2
const CONTEXT_SHARE = 0.6
/** Words that say little alone: "come over", "turn on", "some input". */
const PARTICLES = readList('over under up down on off before after all every some most few none least more less')
/** "Unlike" is no opposite of "like", where "unlikely" is one of "likely". */
const COMPARES = /^(?:un)?like$/

/**
 * "Left" for "right", "released" for "pressed", another colour: the opposite is said of the same, and the word itself is
 * not said, or of something else.
 */
export function saysOpposite(claim: readonly Said[], source: readonly Said[]): boolean {
  const stems = stemsOf(claim)
  return claim.some(({ word, stem, isDenied }, at) => {
    if (COMPARES.test(word)) return false
    const isSaid = source.some((other) => other.stem === stem)
    const list = isSaid ? listTermsOfClause : listTermsNear
    const context = stemsOf(list(claim, at))
    const countMost = (is: (other: Said) => boolean) => {
      const shared = source.map((other, place) => {
        if (!is(other) || (PARTICLES.has(stem) && !isNextToSame({ claim, at, source, place }))) return 0
        return listShared(stemsOf(list(source, place)), context).length
      })
      return Math.max(0, ...shared)
    }
    // "Not visible" is no opposite of "invisible".
    const opposite = countMost(
      (other) => other.isDenied === isDenied && !stems.has(other.stem) && isOpposite(stem, other.stem),
    )
    const least = Math.max(Math.min(CONTEXT_SHARED, context.size), context.size * CONTEXT_SHARE)
    if (opposite === 0 || opposite < least) return false
    if (!isSaid) return true
    const own = countMost((other) => other.stem === stem)
    const isAll = opposite === context.size && opposite >= CONTEXT_SHARED
    return opposite >= own + (isAll ? 1 : CONTEXT_SHARED)
  })
}

interface Pair {
  claim: readonly Said[]
  at: number
  source: readonly Said[]
  place: number
}

/** Words that may stand between a particle and what it goes with: "turn it off", "all of the lamps". */
const MOST_BETWEEN = 2

function isNextToSame({ claim, at, source, place }: Pair): boolean {
  return ([-1, 1] as const).some((step) => {
    const own = findNext(claim, at, step)
    return own !== undefined && own.stem === findNext(source, place, step)?.stem
  })
}

function findNext(words: readonly Said[], at: number, step: -1 | 1): Said | undefined {
  for (let next = at + step; Math.abs(next - at) <= MOST_BETWEEN + 1; next += step) {
    const word = words[next]
    if (word?.clause !== words[at]?.clause) return undefined
    if (word !== undefined && (word.kind === 'term' || word.kind === 'number')) return word
  }
  return undefined
}

function listTermsOfClause(words: readonly Said[], at: number): Said[] {
  return words.filter(({ kind, clause }, place) => kind === 'term' && clause === words[at]?.clause && place !== at)
}

function listTermsNear(words: readonly Said[], at: number): Said[] {
  const from = Math.max(0, at - CONTEXT_WORDS)
  return words
    .slice(from, at + CONTEXT_WORDS + 1)
    .filter(({ kind, sentence }, index) => kind === 'term' && sentence === words[at]?.sentence && from + index !== at)
}
