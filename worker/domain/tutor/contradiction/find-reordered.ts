import type { Said } from '../words/read-clauses.ts'
import { readList, type Stems, stemsOf, takeAway } from '../words/stem-sets.ts'

/** Between what comes first and what comes later; behind "after", that order is turned. */
const ORDER = readList('before then until after')
/** Words that show that a source is told in the order of time. */
const IN_TURN = readList('then next later')
/** Words after which the earlier may be told later. */
const TURNS = readList('before after until when once if because since as')
/** "After that" is "then". */
const POINTS_BACK = /^(?:that|this|which|it)$/
/** Terms next to "before" or "then" that are compared. */
const NEAR_TERMS = 2

/**
 * Whether a claim has two things in another order in time than its source: "release the key, then the button". What is
 * told later comes later where "then" or the like stands between, and no word that may turn it.
 */
export function isReordered(claim: readonly Said[], source: readonly Said[]): boolean {
  return claim.some(({ stem }, at) => {
    if (!ORDER.has(stem) || POINTS_BACK.test(claim[at + 1]?.word ?? '')) return false
    const left = termsOf(claim.slice(0, at)).slice(-NEAR_TERMS)
    const right = termsOf(claim.slice(at + 1)).slice(0, NEAR_TERMS)
    return stem === 'after' ? isToldTurned(right, left, source) : isToldTurned(left, right, source)
  })
}

/** Whether all that one part of a claim alone has is told behind all that the other part alone has. */
function isToldTurned(first: readonly Said[], later: readonly Said[], source: readonly Said[]): boolean {
  const [firsts, laters] = [stemsOf(first), stemsOf(later)]
  const placesOf = (stems: Stems) => [...source.keys()].filter((place) => stems.has(source[place]?.stem ?? ''))
  const own = placesOf(takeAway(firsts, laters))
  const others = placesOf(takeAway(laters, firsts))
  if (own.length === 0 || others.length === 0 || Math.min(...own) < Math.max(...others)) return false
  const between = source.slice(Math.min(...others), Math.max(...own) + 1)
  const opens = ({ word, sentence }: Said, at: number) => word === 'now' && between[at - 1]?.sentence !== sentence
  return (
    between.some((said, at) => IN_TURN.has(said.stem) || opens(said, at)) &&
    !between.some(({ stem }) => TURNS.has(stem))
  )
}

function termsOf(words: readonly Said[]): Said[] {
  return words.filter(({ kind }) => kind === 'term' || kind === 'number')
}
