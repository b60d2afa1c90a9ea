import type { Said } from '../words/read-clauses.ts'
import { listShared, type Stems, stemsOf, takeAway } from '../words/stem-sets.ts'
import { isOpposite } from './exclusive-words.ts'

/** Terms on one side of a word that belong to it. */
const MOST_TERMS = 4

/**
 * Whether two words that exclude each other have changed what is said of them: "purple on the right, orange on the left"
 * for "purple on the left, orange on the right".
 */
export function isExchanged(claim: readonly Said[], source: readonly Said[]): boolean {
  return claim.some((one, at) =>
    claim.some((other, to) => {
      if (to <= at || other.sentence !== one.sentence || !isOpposite(one.stem, other.stem)) return false
      const pair = { one: one.stem, other: other.stem }
      return ([-1, 1] as const).some((step) => isTurned(readSides(claim, pair, step), readSides(source, pair, step)))
    }),
  )
}

interface Sides {
  one: Stems
  other: Stems
}

function isTurned(own: Sides, said: Sides): boolean {
  const isCrossed = meet(own.one, said.other) && meet(own.other, said.one)
  return isCrossed && !meet(own.one, said.one) && !meet(own.other, said.other)
}

/** What is said on one side of each of two words alone. */
function readSides(words: readonly Said[], pair: { one: string; other: string }, step: -1 | 1): Sides {
  const isPair = ({ stem }: Said) => stem === pair.one || stem === pair.other
  const termsOf = (stem: string) =>
    stemsOf(
      words.flatMap((word, at) => {
        if (word.stem !== stem) return []
        const side = step === 1 ? words.slice(at + 1) : words.slice(0, at).toReversed()
        const end = side.findIndex((next) => next.sentence !== word.sentence || isPair(next))
        const near = end === -1 ? side : side.slice(0, end)
        return near.filter(({ kind }) => kind === 'term').slice(0, MOST_TERMS)
      }),
    )
  const [one, other] = [termsOf(pair.one), termsOf(pair.other)]
  return { one: takeAway(one, other), other: takeAway(other, one) }
}

function meet(one: Stems, other: Stems): boolean {
  return listShared(one, other).length > 0
}
