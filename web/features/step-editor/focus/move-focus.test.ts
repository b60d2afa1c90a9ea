import { expect, test } from 'vitest'
import { FIRST_FOCUS, moveFocus, placeInFrame, sizeFocus, spanFocus } from './move-focus.ts'

test('moves a part, and stops it at the edges', () => {
  expect(moveFocus(FIRST_FOCUS, { x: 2, y: -2 })).toEqual({ x: 27, y: 23, width: 50, height: 50 })
  expect(moveFocus(FIRST_FOCUS, { x: 90, y: -90 })).toEqual({ x: 50, y: 0, width: 50, height: 50 })
})

test('sizes a part, from the least that can be enlarged to the edges', () => {
  expect(sizeFocus(FIRST_FOCUS, { x: 10, y: -10 })).toEqual({ x: 25, y: 25, width: 60, height: 40 })
  expect(sizeFocus(FIRST_FOCUS, { x: 90, y: -90 })).toEqual({ x: 25, y: 25, width: 75, height: 20 })
})

test('draws a part between two corners, whichever is first, never too small, and in the picture', () => {
  const expected = { x: 10, y: 20, width: 40, height: 50 }
  expect(spanFocus({ x: 10, y: 20 }, { x: 50, y: 70 })).toEqual(expected)
  expect(spanFocus({ x: 50, y: 70 }, { x: 10, y: 20 })).toEqual(expected)
  expect(spanFocus({ x: 95, y: 2 }, { x: 96, y: 1 })).toEqual({ x: 80, y: 0, width: 20, height: 20 })
  expect(spanFocus({ x: -5, y: 110 }, { x: 120, y: -10 })).toEqual({ x: 0, y: 0, width: 100, height: 100 })
})

test('places a part of a picture between the bars of its frame', () => {
  const part = { x: 0, y: 50, width: 50, height: 50 }
  expect(placeInFrame(part, { width: 1920, height: 1080 })).toEqual(part)
  // Upright, as a phone records: 32 % of the frame are picture.
  expect(placeInFrame(part, { width: 1080, height: 1920 })).toEqual({ x: 34, y: 50, width: 20, height: 50 })
  expect(placeInFrame(part, { width: 2560, height: 1080 })).toEqual({ x: 0, y: 50, width: 50, height: 38 })
})
