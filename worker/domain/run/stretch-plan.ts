/**
 * Parts of the first stretches: ten seconds, nearly a minute, two minutes. A short first stretch is transcribed and
 * written before a long recording is even cut, so that the first step is there while the rest is on its way.
 */
const FIRST_STRETCHES = [1, 2, 4]
/** Parts of all later stretches: two and a half minutes, whose answer the model writes in a few seconds. */
const PARTS_PER_STRETCH = 5

/** A sentence that is left to a stretch begins one part before it, and its first words may be one part earlier. */
const PARTS_BEFORE = 2

const FIRST_PARTS = FIRST_STRETCHES.reduce((sum, parts) => sum + parts, 0)

/** The parts of a stretch: from the first to before `to`. The last stretch of a recording may end earlier. */
export function partsOfStretch(stretch: number): { from: number; to: number } {
  if (stretch < FIRST_STRETCHES.length) {
    const from = FIRST_STRETCHES.slice(0, stretch).reduce((sum, parts) => sum + parts, 0)
    return { from, to: from + (FIRST_STRETCHES[stretch] ?? 0) }
  }
  const from = FIRST_PARTS + (stretch - FIRST_STRETCHES.length) * PARTS_PER_STRETCH
  return { from, to: from + PARTS_PER_STRETCH }
}

/** Which parts a stretch is formed from. */
export interface StretchParts {
  /** Its own, from the first to before `to`. */
  from: number
  to: number
  /** All whose words have to be known: its own and their neighbours. */
  firstNeeded: number
  lastNeeded: number
  /** Nothing follows it. */
  isLast: boolean
}

/** @param partCount null until the whole source has been cut */
export function planFormation(stretch: number, partCount: number | null): StretchParts {
  const { from, to } = partsOfStretch(stretch)
  const isLast = partCount !== null && to >= partCount
  const lastNeeded = isLast ? partCount - 1 : to
  return { from, to, firstNeeded: Math.max(0, from - PARTS_BEFORE), lastNeeded, isLast }
}

/** How many stretches so many parts make; 1 for none. */
export function countStretches(partCount: number): number {
  let stretches = 1
  while (partsOfStretch(stretches).from < partCount) stretches += 1
  return stretches
}
