import type { Said } from '../words/read-clauses.ts'

/** Terms that have to be denied in a source for their claim to be the contrary, and how many of the claim may be none of them. */
const LEAST_DENIED = 2
const MOST_OTHERS = 1

/**
 * Whether a claim denies other things than its source, wherever in it they are said: "sees, but cannot hear" for "hears,
 * but cannot see", or nothing where all of it is denied: "in order and alike" for "not in order. They are not alike".
 */
export function turnsStances(claim: readonly Said[], source: readonly Said[]): boolean {
  const stances = listStances(claim, source)
  const denied = stances.filter(({ isDenied, wasDenied }) => isDenied && !wasDenied).length
  const affirmed = stances.filter(({ isDenied, wasDenied }) => !isDenied && wasDenied).length
  if (denied > 0 && affirmed > 0) return true
  const terms = claim.filter(({ kind }) => kind === 'term').length
  return affirmed >= LEAST_DENIED && affirmed === stances.length && affirmed >= terms - MOST_OTHERS
}

/** The terms of a claim that its source either denies or affirms wherever it says them. */
function listStances(claim: readonly Said[], source: readonly Said[]) {
  return claim.flatMap(({ kind, stem, isDenied }) => {
    const [first, ...others] = source.filter((word) => word.stem === stem)
    if (kind !== 'term' || first === undefined || others.some((word) => word.isDenied !== first.isDenied)) return []
    return [{ isDenied, wasDenied: first.isDenied }]
  })
}
