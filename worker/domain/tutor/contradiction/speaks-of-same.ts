import type { Said } from '../words/read-clauses.ts'
import { listShared, stemsOf } from '../words/stem-sets.ts'

/** Share of a claim’s terms, but for one, that a sentence has where both speak of the same. */
const SAME_SHARE = 0.6

/**
 * Whether the sentence at a place of a source speaks of what a claim speaks of. Only then does one other word in it show
 * that the claim is wrong.
 */
export function speaksOfSame(claim: readonly Said[], source: readonly Said[], place: number): boolean {
  const terms = stemsOf(claim.filter(({ kind }) => kind === 'term'))
  const said = stemsOf(source.filter(({ sentence }) => sentence === source[place]?.sentence))
  return listShared(terms, said).length >= SAME_SHARE * (terms.size - 1)
}
