/**
 * Parts of the first stretches: half a minute, one minute, two minutes. A short first stretch is heard and written
 * before a long recording is even cut, so that the first step is there while the rest is on its way.
 */
const FIRST_STRETCHES = [1, 2, 4]
/** Parts of all later stretches: two and a half minutes, whose answer the model writes in a few seconds. */
const PARTS_PER_STRETCH = 5

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

/** How many stretches so many parts make; 1 for none. */
export function countStretches(partCount: number): number {
  let stretches = 1
  while (partsOfStretch(stretches).from < partCount) stretches += 1
  return stretches
}
