import { expect, test } from 'vitest'
import { moveView, scaleView, viewPart, WHOLE_VIEW, ZOOM_MAX } from './zoom-view.ts'

const FRAME = { width: 360, height: 200 }

test('keeps what is under the point where it is', () => {
  const once = scaleView(WHOLE_VIEW, 2, { x: 90, y: 50 }, FRAME)
  expect(once).toEqual({ scale: 2, x: -90, y: -50 })
  expect(scaleView(once, 2, { x: 90, y: 50 }, FRAME)).toEqual({ scale: 4, x: -270, y: -150 })
})

test('stops at five times and at the whole picture', () => {
  expect(scaleView(WHOLE_VIEW, 100, { x: 0, y: 0 }, FRAME).scale).toBe(ZOOM_MAX)
  const large = scaleView(WHOLE_VIEW, 3, { x: 360, y: 200 }, FRAME)
  expect(scaleView(large, 0.01, { x: 10, y: 10 }, FRAME)).toEqual(WHOLE_VIEW)
})

test('never shows what is beside the picture', () => {
  const large = scaleView(WHOLE_VIEW, 2, { x: 180, y: 100 }, FRAME)
  expect(moveView(large, { x: 1_000, y: 1_000 }, FRAME)).toEqual({ scale: 2, x: 0, y: 0 })
  expect(moveView(large, { x: -1_000, y: -1_000 }, FRAME)).toEqual({ scale: 2, x: -360, y: -200 })
  expect(scaleView({ scale: 2, x: -360, y: -200 }, 0.75, { x: 0, y: 0 }, FRAME)).toEqual({
    scale: 1.5,
    x: -180,
    y: -100,
  })
})

test('shows a part as large as it fits, in the middle as far as the picture goes', () => {
  const frame = { width: 400, height: 200 }
  expect(viewPart({ x: 25, y: 25, width: 50, height: 50 }, frame)).toEqual({ scale: 2, x: -200, y: -100 })
  expect(viewPart({ x: 0, y: 40, width: 25, height: 50 }, frame)).toEqual({ scale: 2, x: 0, y: -160 })
  expect(viewPart({ x: 80, y: 80, width: 20, height: 20 }, frame)).toEqual({ scale: 5, x: -1_600, y: -800 })
  expect(viewPart({ x: 0, y: 0, width: 100, height: 100 }, frame)).toEqual(WHOLE_VIEW)
})

test('moves a whole picture nowhere', () => {
  expect(moveView(WHOLE_VIEW, { x: 50, y: -50 }, FRAME)).toEqual(WHOLE_VIEW)
})
