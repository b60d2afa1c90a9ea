import type { Box, Gray } from './gray.ts'

/** The height that a line is enlarged to, and the empty space around it, in pixels. Fitted on `bench:screen`. */
const HEIGHT_PX = 40
/** In another size, other letters are read badly. */
export const OTHER_HEIGHT_PX = 32
export const MARGIN_PX = 12
/** The engine scales text down itself, so large text needs no enlarging. */
const SCALE = { least: 0.5, most: 4 }
/** Lightness between text and background under which there is nothing to read. */
const CONTRAST_MIN = 24
/** Pixels around a line that belong to its letters. */
const FRINGE_PX = 1

/** A line as the engine reads it best: dark on white, of one height. */
export interface PreparedLine {
  image: Gray
  /** Pixels of it for each of the frame's. */
  scale: number
}

/** Cuts a line out of a frame and makes it easy to read; null where it is of one colour. @param heightPx of the result */
export function prepareLine(frame: Gray, box: Box, heightPx = HEIGHT_PX): PreparedLine | null {
  const line = cut(frame, box)
  const { paper, ink } = findColours(line)
  if (Math.abs(paper - ink) < CONTRAST_MIN) return null
  const stretched = line.data.map((value) => Math.max(0, Math.min(255, (255 * (value - ink)) / (paper - ink))))
  clearCaret({ ...line, data: stretched })
  const scale = Math.max(SCALE.least, Math.min(SCALE.most, heightPx / box.height))
  const image = enlarge({ ...line, data: stretched }, scale)
  return { image: surround(image), scale }
}

/** Mean difference of lightness, in any part as wide as half a letter, up to which two lines show the same: noise. */
const SAME = { partPx: 16, difference: 10 }

/** Whether two prepared lines show the same text. */
export function isSameLine(one: Gray, other: Gray): boolean {
  if (one.width !== other.width || one.height !== other.height) return false
  const sums = new Uint32Array(Math.ceil(one.width / SAME.partPx))
  const most = SAME.difference * SAME.partPx * one.height
  for (let y = 0; y < one.height; y++) {
    for (let x = 0; x < one.width; x++) {
      const index = y * one.width + x
      const part = Math.floor(x / SAME.partPx)
      const sum = (sums[part] ?? 0) + Math.abs((one.data[index] ?? 0) - (other.data[index] ?? 0))
      if (sum > most) return false
      sums[part] = sum
    }
  }
  return true
}

/** Where a position in a prepared line is in its box, in pixels of the frame. */
export function toFrame({ scale }: PreparedLine, x: number): number {
  return (x - MARGIN_PX) / scale - FRINGE_PX
}

function cut({ data, width, height }: Gray, box: Box): Gray {
  const [left, top] = [Math.max(0, box.x - FRINGE_PX), Math.max(0, box.y - FRINGE_PX)]
  const right = Math.min(width, box.x + box.width + FRINGE_PX)
  const bottom = Math.min(height, box.y + box.height + FRINGE_PX)
  const line = { data: new Uint8Array((right - left) * (bottom - top)), width: right - left, height: bottom - top }
  for (let y = top; y < bottom; y++)
    line.data.set(data.subarray(y * width + left, y * width + right), (y - top) * line.width)
  return line
}

/** A block caret is as wide as a letter, and full of ink, though the line may reach below it. */
const CARET = { width: 0.28, ink: 0.7, dark: 110 }

/** Removes the block that shows where is typed. */
function clearCaret({ data, width, height }: Gray): void {
  const isFull = (x: number) => {
    let dark = 0
    for (let y = 0; y < height; y++) if ((data[y * width + x] ?? 255) < CARET.dark) dark++
    return dark >= CARET.ink * (height - 2 * FRINGE_PX)
  }
  for (let x = width - 1, end = width; x >= -1; x--) {
    if (x >= 0 && isFull(x)) continue
    if (end - x - 1 >= CARET.width * height) {
      for (let y = 0; y < height; y++) data.fill(255, y * width + Math.max(0, x), y * width + Math.min(width, end + 1))
    }
    end = x
  }
}

/** Share of the pixels that may be lighter or darker than text: dots of noise, and overshoot of the encoder. */
const OUTLIERS = 0.01

/** The lightness of the background, which most pixels have, and of the letters, the furthest from it. */
function findColours({ data }: Gray): { paper: number; ink: number } {
  const counts = new Uint32Array(256)
  for (const value of data) counts[value] = (counts[value] ?? 0) + 1
  // Noise spreads the background over neighbouring values.
  const smooth = counts.map((_, value) => sumAround(counts, value))
  const paper = smooth.indexOf(Math.max(...smooth))
  const dark = valueAt(counts, data.length * OUTLIERS)
  const light = valueAt(counts, data.length * (1 - OUTLIERS))
  return { paper, ink: paper - dark > light - paper ? dark : light }
}

function sumAround(counts: Uint32Array, value: number): number {
  let total = 0
  for (let each = Math.max(0, value - 3); each <= Math.min(255, value + 3); each++) total += counts[each] ?? 0
  return total
}

function valueAt(counts: Uint32Array, rank: number): number {
  let passed = 0
  for (let value = 0; value < counts.length; value++) {
    passed += counts[value] ?? 0
    if (passed > rank) return value
  }
  return counts.length - 1
}

/** Cubic interpolation (Catmull-Rom), which keeps the edges of letters sharp; the mean of an area where it gets smaller. */
function enlarge(image: Gray, scale: number): Gray {
  const [width, height] = [Math.max(1, Math.round(image.width * scale)), Math.max(1, Math.round(image.height * scale))]
  const across = resample(image.width, width)
  const down = resample(image.height, height)
  const rows = new Float32Array(image.height * width)
  for (let y = 0; y < image.height; y++) {
    for (let x = 0; x < width; x++) {
      let sum = 0
      for (const { index, weight } of across[x] ?? []) sum += (image.data[y * image.width + index] ?? 0) * weight
      rows[y * width + x] = sum
    }
  }
  const data = new Uint8ClampedArray(width * height)
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      let sum = 0
      for (const { index, weight } of down[y] ?? []) sum += (rows[index * width + x] ?? 0) * weight
      data[y * width + x] = sum
    }
  }
  return { data: new Uint8Array(data.buffer), width, height }
}

interface Tap {
  index: number
  weight: number
}

/** What each of `to` positions takes from `from` positions. */
function resample(from: number, to: number): Tap[][] {
  const step = from / to
  const reach = 2 * Math.max(1, step)
  return Array.from({ length: to }, (_, position) => {
    const centre = (position + 0.5) * step - 0.5
    const taps: Tap[] = []
    for (let index = Math.ceil(centre - reach); index <= centre + reach; index++) {
      const weight = catmullRom((index - centre) / Math.max(1, step))
      if (weight !== 0) taps.push({ index: Math.max(0, Math.min(from - 1, index)), weight })
    }
    const total = taps.reduce((sum, { weight }) => sum + weight, 0)
    return taps.map(({ index, weight }) => ({ index, weight: weight / total }))
  })
}

function catmullRom(distance: number): number {
  const x = Math.abs(distance)
  if (x >= 2) return 0
  return x < 1 ? 1.5 * x ** 3 - 2.5 * x ** 2 + 1 : -0.5 * x ** 3 + 2.5 * x ** 2 - 4 * x + 2
}

function surround({ data, width, height }: Gray): Gray {
  const wide = width + 2 * MARGIN_PX
  const framed = new Uint8Array(wide * (height + 2 * MARGIN_PX)).fill(255)
  for (let y = 0; y < height; y++)
    framed.set(data.subarray(y * width, (y + 1) * width), (y + MARGIN_PX) * wide + MARGIN_PX)
  return { data: framed, width: wide, height: height + 2 * MARGIN_PX }
}
