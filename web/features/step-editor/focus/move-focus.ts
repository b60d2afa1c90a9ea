import { FOCUS_MIN_PERCENT, type StepFocus } from '#contract/step.ts'

/** A point of the frame, in hundredths of its sides. */
export interface FramePoint {
  x: number
  y: number
}

/** What a part begins as: the middle, twice as large. */
export const FIRST_FOCUS: StepFocus = { x: 25, y: 25, width: 50, height: 50 }

const clamp = (value: number, least: number, most: number) => Math.round(Math.min(most, Math.max(least, value)))

/** Moves a part, no further than to the edges of the picture. */
export function moveFocus({ x, y, width, height }: StepFocus, by: FramePoint): StepFocus {
  return { x: clamp(x + by.x, 0, 100 - width), y: clamp(y + by.y, 0, 100 - height), width, height }
}

/** Moves the lower right corner of a part. */
export function sizeFocus({ x, y, width, height }: StepFocus, by: FramePoint): StepFocus {
  const [left, top] = [Math.min(x, 100 - FOCUS_MIN_PERCENT), Math.min(y, 100 - FOCUS_MIN_PERCENT)]
  return {
    x: left,
    y: top,
    width: clamp(width + by.x, FOCUS_MIN_PERCENT, 100 - left),
    height: clamp(height + by.y, FOCUS_MIN_PERCENT, 100 - top),
  }
}

/** The part between two corners, of which the first stays where it is as far as it can. */
export function spanFocus(from: FramePoint, to: FramePoint): StepFocus {
  const [x, width] = spanSide(from.x, to.x)
  const [y, height] = spanSide(from.y, to.y)
  return { x, y, width, height }
}

function spanSide(from: number, to: number): [start: number, length: number] {
  const length = clamp(Math.abs(to - from), FOCUS_MIN_PERCENT, 100)
  return [clamp(to < from ? from - length : from, 0, 100 - length), length]
}

/**
 * A part of a picture as one of the 16:9 frame that it is shown in, between its bars.
 * @param part in hundredths of the picture
 */
export function placeInFrame(part: StepFocus, picture: { width: number; height: number }): StepFocus {
  const shape = (picture.width / picture.height) * (9 / 16)
  const [wide, high] = [Math.min(1, shape), Math.min(1, 1 / shape)]
  const from = { x: 50 + (part.x - 50) * wide, y: 50 + (part.y - 50) * high }
  return spanFocus(from, { x: from.x + part.width * wide, y: from.y + part.height * high })
}
