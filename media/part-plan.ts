/** What hosted recognisers take well, and short enough that many are transcribed at once. */
const PART_MS = 30_000
/** The first parts are short, so that the first step is there while most of the recording is being transcribed. */
const FIRST_PARTS_MS = [10_000, 20_000] as const

/** How long a part is meant to be; where it is cut depends on where it is quiet. */
export function partMsAt(part: number): number {
  return FIRST_PARTS_MS[part] ?? PART_MS
}

/** About how many parts a recording makes; at least 1. */
export function estimatePartCount(durationMs: number): number {
  const firstMs = FIRST_PARTS_MS.reduce((sum, ms) => sum + ms, 0)
  return Math.max(1, FIRST_PARTS_MS.length + Math.round((durationMs - firstMs) / PART_MS))
}
