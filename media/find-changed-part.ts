import { CELL_CHANGE, GRID } from './find-scenes.ts'

/** A part of a picture, in hundredths of its sides. */
export interface PicturePart {
  x: number
  y: number
  width: number
  height: number
}

/** Between two moments of which more is another, the whole picture has changed, as in a cut. */
const SCENE_SHARE = 0.4
/** What changes at the edges is seldom what it is about: a clock, a pointer on its way. */
const EDGE_SHARE = 0.06
/** A part that is nearly all of the picture is none. */
const PART_MAX = 0.5

/**
 * Finds where something happens in moments of one step: the part in which nearly all changes are.
 * @param samples cells of each, as `toCells` makes them, in order of time
 * @param minPercent least sides of a part
 * @returns null where nothing changes, or all over the picture
 */
export function findChangedPart(samples: readonly Uint8Array[], minPercent: number): PicturePart | null {
  const { columns, rows } = GRID
  const counts = countChanges(samples)
  if (counts.every((count) => count === 0)) return null
  const byColumn = Array.from({ length: columns }, (_, at) => sumOf(counts, (cell) => cell % columns === at))
  const byRow = Array.from({ length: rows }, (_, at) => sumOf(counts, (cell) => Math.floor(cell / columns) === at))
  const [x, width] = widen(findMiddle(byColumn), minPercent)
  const [y, height] = widen(findMiddle(byRow), minPercent)
  return width * height > PART_MAX * 10_000 ? null : { x, y, width, height }
}

/** How often each cell changes from one moment to the next. */
function countChanges(samples: readonly Uint8Array[]): number[] {
  const counts = Array.from({ length: GRID.columns * GRID.rows }, () => 0)
  for (const [at, cells] of samples.entries()) {
    const before = samples[at - 1]
    if (before === undefined) continue
    const changed = counts.flatMap((_, cell) => (isChanged(before, cells, cell) ? [cell] : []))
    if (changed.length > SCENE_SHARE * counts.length) continue
    for (const cell of changed) counts[cell] = (counts[cell] ?? 0) + 1
  }
  return counts
}

function isChanged(one: Uint8Array, other: Uint8Array, cell: number): boolean {
  return [0, 1, 2].some((channel) => {
    const index = cell * 3 + channel
    return Math.abs((one[index] ?? 0) - (other[index] ?? 0)) > CELL_CHANGE
  })
}

function sumOf(counts: readonly number[], isMeant: (cell: number) => boolean): number {
  return counts.reduce((sum, count, cell) => (isMeant(cell) ? sum + count : sum), 0)
}

/** The columns, or rows, between which all but the edges of the changes are, in hundredths. */
function findMiddle(sums: readonly number[]): [from: number, to: number] {
  const edge = sums.reduce((sum, each) => sum + each, 0) * EDGE_SHARE
  const cross = (list: readonly number[]) => {
    let passed = 0
    return list.findIndex((each) => (passed += each) > edge)
  }
  const [first, last] = [cross(sums), sums.length - 1 - cross(sums.toReversed())]
  return [(100 * first) / sums.length, (100 * (last + 1)) / sums.length]
}

/** Gives it a margin, and at least the least side, within the picture. */
function widen([from, to]: [number, number], minPercent: number): [from: number, length: number] {
  const margin = 3
  const length = Math.min(100, Math.max(minPercent, Math.round(to - from) + 2 * margin))
  const start = Math.round((from + to - length) / 2)
  return [Math.max(0, Math.min(100 - length, start)), length]
}
