/** What a moment of a video shows: the mean colour of each cell of a grid, row by row. */
export interface Sample {
  timeMs: number
  /** {@link GRID} cells with red, green and blue each, 0–255. */
  cells: Uint8Array
}

/** So coarse that noise, a pointer and a line of text that is being typed change few cells, and another page most. */
export const GRID = { columns: 32, rows: 18 } as const

/** An image of four bytes per pixel, as a canvas has it. */
export interface Pixels {
  data: Uint8ClampedArray | Uint8Array
  width: number
  height: number
}

/** Reduces an image of at least as many pixels as the grid has cells to the mean colour of each cell. */
export function toCells({ data, width, height }: Pixels): Uint8Array {
  const { columns, rows } = GRID
  const sums = new Uint32Array(columns * rows * 3)
  const counts = new Uint32Array(columns * rows)
  for (let y = 0; y < height; y++) {
    const row = Math.floor((y * rows) / height) * columns
    for (let x = 0; x < width; x++) {
      const cell = row + Math.floor((x * columns) / width)
      counts[cell] = (counts[cell] ?? 0) + 1
      for (let channel = 0; channel < 3; channel++) {
        const index = cell * 3 + channel
        sums[index] = (sums[index] ?? 0) + (data[(y * width + x) * 4 + channel] ?? 0)
      }
    }
  }
  return Uint8Array.from(sums, (sum, index) => sum / (counts[Math.floor(index / 3)] || 1))
}

/** Samples of a long video are further apart, so that checking it takes a limited time. */
const SAMPLES_MAX = 600
/** The shortest step contains two samples at this interval. */
const SAMPLE_EVERY_MS = 500

/** Lists when to look at a video to find its scenes, in milliseconds. */
export function planSamples(durationMs: number): number[] {
  const everyMs = Math.max(SAMPLE_EVERY_MS, durationMs / SAMPLES_MAX)
  return Array.from({ length: Math.floor(durationMs / everyMs) }, (_, index) => Math.round(index * everyMs))
}

/*
 * The three were chosen on the recordings of `testing/make-recordings.ts` with the seeds 1 to 8, in the middle of those
 * that find all of their 180 scenes and no other; the test reports on other recordings.
 */
/** A cell shows something else when one of its colours differs by more than this; a cross-fade is half there at half. */
export const CELL_CHANGE = 24
/** Share of the cells that a change of scene changes at least. */
export const CHANGED_MIN = 0.06
/** How much more than the moments around it: where a camera moves, much changes all the time. */
const TIMES_USUAL = 2

/** Samples around a moment whose median is the usual amount of change there. */
const USUAL_WITHIN = 10
/** No scene is shorter than a step may be. */
const SCENE_MIN_MS = 5_000
/**
 * Finds where a video begins to show something else, and goes on to show it: a flash is no scene.
 * @param samples in order of time
 * @param most scenes; of more, those that differ the most stay
 * @returns the beginnings of all scenes in order of time, the first of which begins at 0; none where nothing changes
 */
export function findScenes(
  samples: readonly Sample[],
  { durationMs, most }: { durationMs: number; most: number },
): number[] {
  const strengths = samples.map((_, index) => strengthOf(samples, index))
  const changes = samples
    .map(({ timeMs }, index) => ({ timeMs, strength: strengths[index] ?? 0, usual: usualAt(strengths, index) }))
    .filter(({ strength, usual }) => strength >= Math.max(CHANGED_MIN, TIMES_USUAL * usual))
    .toSorted((a, b) => b.strength - a.strength)
  const starts = [0]
  for (const { timeMs } of changes) {
    const isFree = [...starts, durationMs].every((other) => Math.abs(other - timeMs) >= SCENE_MIN_MS)
    if (isFree && starts.length < most) starts.push(timeMs)
  }
  return starts.length === 1 ? [] : starts.toSorted((a, b) => a - b)
}

/** The least that either of two samples before a moment differs from either of the two from it on. */
function strengthOf(samples: readonly Sample[], index: number): number {
  const before = samples.slice(Math.max(0, index - 2), index)
  const after = samples.slice(index, index + 2)
  const pairs = before.flatMap((one) => after.map((other) => changedShare(one.cells, other.cells)))
  return pairs.length === 0 ? 0 : Math.min(...pairs)
}

/**
 * Share of the cells that show something else, 0 to 1.
 * @param lighterBy how much lighter all of the first is, which is no change
 */
export function changedShare(one: Uint8Array, other: Uint8Array, lighterBy = 0): number {
  let changed = 0
  for (let index = 0; index < one.length; index += 3) {
    const isChanged = [0, 1, 2].some((channel) => {
      return Math.abs((one[index + channel] ?? 0) - (other[index + channel] ?? 0) - lighterBy) > CELL_CHANGE
    })
    if (isChanged) changed++
  }
  return changed / (one.length / 3)
}

/** The median of the moments around one. */
function usualAt(strengths: readonly number[], index: number): number {
  const around = strengths.slice(Math.max(0, index - USUAL_WITHIN), index + USUAL_WITHIN + 1).toSorted((a, b) => a - b)
  return around[Math.floor(around.length / 2)] ?? 0
}
