import type { Gray } from './gray.ts'

/** Neighbours that differ by no more are of one colour: encoders leave so much on a flat ground. */
const SAME_MAX = 1
/** Windows, pages and slides have more of one colour side by side; what a camera sees has light, grain and depth. */
const FLAT_MIN = 0.6

/**
 * Whether frames of a video show a screen or slides, and not what a camera sees: most of it is of one colour side by
 * side. None tells of a camera.
 */
export function isScreen(frames: readonly Gray[]): boolean {
  const shares = frames.map(flatShare).toSorted((a, b) => a - b)
  return (shares[Math.floor(shares.length / 2)] ?? 0) >= FLAT_MIN
}

/** Share of the pixels whose right neighbour is of the same lightness. */
function flatShare({ data, width, height }: Gray): number {
  let flat = 0
  for (let y = 0; y < height; y++) {
    for (let at = y * width; at < (y + 1) * width - 1; at++) {
      if (Math.abs((data[at] ?? 0) - (data[at + 1] ?? 0)) <= SAME_MAX) flat++
    }
  }
  return flat / Math.max(1, (width - 1) * height)
}
