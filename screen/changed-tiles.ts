import type { Box, Gray } from './gray.ts'

/** Side of a square that is compared as a whole, in pixels. */
export const TILE_PX = 16
/** Lightness by which a pixel differs that shows something else: noise of an encoder is below. */
const PIXEL_CHANGE = 40
/** So many changed pixels make a tile a changed one: a comma has as many. */
const CHANGED_PIXELS = 4

/** Which tiles of a frame show something else than before, row by row. */
export interface Tiles {
  columns: number
  rows: number
  changed: Uint8Array
}

/** Compares two frames of one size, or a frame with nothing, of which all is new. */
export function findChanges(before: Gray | null, after: Gray): Tiles {
  const columns = Math.ceil(after.width / TILE_PX)
  const rows = Math.ceil(after.height / TILE_PX)
  if (before === null || before.width !== after.width || before.height !== after.height)
    return { columns, rows, changed: new Uint8Array(columns * rows).fill(1) }
  const counts = new Uint16Array(columns * rows)
  for (let y = 0; y < after.height; y++) {
    const tileRow = Math.floor(y / TILE_PX) * columns
    const row = y * after.width
    for (let x = 0; x < after.width; x++) {
      const difference = (before.data[row + x] ?? 0) - (after.data[row + x] ?? 0)
      if (difference > PIXEL_CHANGE || difference < -PIXEL_CHANGE) {
        const tile = tileRow + Math.floor(x / TILE_PX)
        counts[tile] = (counts[tile] ?? 0) + 1
      }
    }
  }
  return { columns, rows, changed: Uint8Array.from(counts, (count) => Number(count >= CHANGED_PIXELS)) }
}

/** Whether any tile that a box touches is marked. */
export function touches({ columns, rows }: Tiles, marks: Uint8Array, box: Box): boolean {
  return shareOf({ columns, rows }, marks, box) > 0
}

/** The share of the tiles that a box touches that are marked. */
export function shareOf({ columns, rows }: Pick<Tiles, 'columns' | 'rows'>, marks: Uint8Array, box: Box): number {
  const right = Math.min(columns - 1, Math.floor((box.x + box.width - 1) / TILE_PX))
  const bottom = Math.min(rows - 1, Math.floor((box.y + box.height - 1) / TILE_PX))
  let marked = 0
  let all = 0
  for (let y = Math.floor(box.y / TILE_PX); y <= bottom; y++) {
    for (let x = Math.floor(box.x / TILE_PX); x <= right; x++) {
      marked += marks[y * columns + x] ?? 0
      all++
    }
  }
  return all === 0 ? 0 : marked / all
}
