import type { Said } from '../words/read-clauses.ts'
import { listShared, type Stems, stemsOf, takeAway } from '../words/stem-sets.ts'

/** Words between two things of which each has its own side. */
const BETWEEN = /^(?:than|under|below|beneath|over|above|behind|before|after|into|divided|against|inside)$/
/** Terms behind such a word that are on its right side. */
const RIGHT_TERMS = 3

/**
 * Whether two things have changed sides: "the red one is slower than the blue one" for "the blue one is slower than the
 * red one", "drag the lid under the box" for "drag the box under the lid".
 */
export function isCrossed(claim: readonly Said[], source: readonly Said[]): boolean {
  return claim.some(({ word, stem }, at) => {
    if (!BETWEEN.test(word)) return false
    const own = readSides(claim, at)
    const others = source.flatMap((other, place) =>
      other.stem === stem && BETWEEN.test(other.word) ? [readSides(source, place)] : [],
    )
    const isSame = ({ left, right }: Sides) => meet(own.left, left) && meet(own.right, right)
    const isTurned = ({ left, right }: Sides) =>
      meet(own.left, right) && meet(own.right, left) && !meet(own.right, right)
    return others.some(isTurned) && !others.some(isSame)
  })
}

interface Sides {
  left: Stems
  right: Stems
}

/** What only stands on one side of a word, in its sentence. */
function readSides(words: readonly Said[], at: number): Sides {
  const isThing = ({ kind, sentence }: Said) =>
    (kind === 'term' || kind === 'number') && sentence === words[at]?.sentence
  const left = stemsOf(words.slice(0, at).filter(isThing))
  const right = stemsOf(
    words
      .slice(at + 1)
      .filter(isThing)
      .slice(0, RIGHT_TERMS),
  )
  return { left: takeAway(left, right), right: takeAway(right, left) }
}

function meet(one: Stems, other: Stems): boolean {
  return listShared(one, other).length > 0
}
