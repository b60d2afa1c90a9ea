import { CHANGED_MIN, changedShare, type Pixels, toCells } from './find-scenes.ts'

/** A step as its image is chosen in it. Milliseconds. */
export interface StepSpan {
  startMs: number
  endMs: number
}

/** Moments that are compared; more of them find a sharper one rarely. */
const MOMENTS = 5
/** The beginning of a step shows its subject; later frames may already lead to the next step. */
const SHARE_OF_STEP = 1 / 3

/** Lists the moments of a step that are looked at: each in the middle of a fifth of its first third. Milliseconds. */
export function planMoments({ startMs, endMs }: StepSpan): number[] {
  const lengthMs = Math.max(0, endMs - startMs) * SHARE_OF_STEP
  return Array.from({ length: MOMENTS }, (_, index) => Math.round(startMs + (lengthMs * (index + 0.5)) / MOMENTS))
}

/** Frames of 8 to 60 a second lie on both sides of a moment at this distance, and most cross-fades are longer. */
const NEIGHBOUR_MS = 150

/** Lists when to look beside a moment to find a cut in it: before and after it, inside the step. */
export function planLooks(momentMs: number, { startMs, endMs }: StepSpan): [number, number] {
  const within = (timeMs: number) => Math.min(Math.max(startMs, endMs), Math.max(startMs, timeMs))
  return [within(momentMs - NEIGHBOUR_MS), within(momentMs + NEIGHBOUR_MS)]
}

/** What a video shows at a moment. */
export interface Frame {
  timeMs: number
  pixels: Pixels
}

/** Ranks the frames that could be the image of a step, the sharpest first. None that is black, of one colour or blurred all over. */
export function rankFrames(frames: readonly Frame[]): number[] {
  return frames
    .map(({ timeMs, pixels }) => ({ timeMs, ...measureFrame(pixels) }))
    .filter(({ range, edge }) => range >= RANGE_MIN && edge >= EDGE_MIN * range)
    .toSorted((a, b) => b.sharpness - a.sharpness)
    .map(({ timeMs }) => timeMs)
}

/** Whether a moment is in a cut or cross-fade, by what is seen before and after it. */
export function isInCut(before: Pixels, after: Pixels): boolean {
  return changedShare(toCells(before), toCells(after)) >= CUT_MIN
}

/**
 * A moving hand, an opening menu or a scrolling page changes less than this; a cut or cross-fade mostly changes more.
 */
const CUT_MIN = 5 * CHANGED_MIN
/** Lightness between the darkest and the lightest hundredth of the pixels, of 255: less of it is a black or plain frame. */
const RANGE_MIN = 24
/**
 * The steepest edges of a sharp picture climb that much of its range from one pixel to the next. A blur whose radius is
 * 3 px of 320 leaves a seventh.
 */
const EDGE_MIN = 0.2
/** So many of the pixels, from the darkest and from the lightest, do not count: a logo on black is still black. */
const OUTLIERS = 0.01
/** The steepest pixels of a picture that is sharp anywhere: a line of text has more. */
const STEEPEST = 0.002

interface FrameMeasure {
  /** Variance of the Laplacian, by which autofocus compares pictures (Pech-Pacheco 2000). */
  sharpness: number
  /** Lightness between the darkest and the lightest pixels, 0–255. */
  range: number
  /** How much lightness the steepest pixels differ from their neighbours. */
  edge: number
}

/** Measures how sharp a frame is and how much there is to see in it. */
export function measureFrame(pixels: Pixels): FrameMeasure {
  const { width, height } = pixels
  const light = toLightness(pixels)
  const lightness = new Uint32Array(256)
  const steps = new Uint32Array(256)
  let sum = 0
  let squares = 0
  for (let y = 1; y < height - 1; y++) {
    for (let x = 1; x < width - 1; x++) {
      const index = y * width + x
      const centre = light[index] ?? 0
      const right = light[index + 1] ?? 0
      const below = light[index + width] ?? 0
      const laplacian = 4 * centre - right - below - (light[index - 1] ?? 0) - (light[index - width] ?? 0)
      sum += laplacian
      squares += laplacian * laplacian
      count(lightness, centre)
      count(steps, Math.max(Math.abs(centre - right), Math.abs(centre - below)))
    }
  }
  const n = Math.max(1, (width - 2) * (height - 2))
  const range = valueAt(lightness, n * (1 - OUTLIERS)) - valueAt(lightness, n * OUTLIERS)
  return { sharpness: squares / n - (sum / n) ** 2, range, edge: valueAt(steps, n * (1 - STEEPEST)) }
}

function count(histogram: Uint32Array, value: number): void {
  histogram[value] = (histogram[value] ?? 0) + 1
}

/** Finds the value of a histogram that `rank` entries are not above. */
function valueAt(histogram: Uint32Array, rank: number): number {
  let passed = 0
  for (let value = 0; value < histogram.length; value++) {
    passed += histogram[value] ?? 0
    if (passed > rank) return value
  }
  return histogram.length - 1
}

/** Lightness of each pixel (ITU-R BT.601). */
function toLightness({ data, width, height }: Pixels): Uint8Array {
  return Uint8Array.from({ length: width * height }, (_, pixel) => {
    const channel = (index: number) => data[pixel * 4 + index] ?? 0
    return 0.299 * channel(0) + 0.587 * channel(1) + 0.114 * channel(2)
  })
}
