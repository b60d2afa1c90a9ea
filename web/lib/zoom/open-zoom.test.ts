import { afterEach, beforeEach, expect, test } from 'vitest'
import { openZoom, type Zoom } from './open-zoom.ts'

let frame: HTMLElement
let picture: HTMLElement
let zoom: Zoom

beforeEach(() => {
  frame = document.createElement('div')
  picture = document.createElement('img')
  frame.append(picture, document.createElement('button'))
  document.body.append(frame)
  frame.getBoundingClientRect = () => new DOMRect(0, 0, 400, 200)
  zoom = openZoom(frame, picture)
})

afterEach(() => {
  zoom.end()
  frame.remove()
})

/** @returns whether what is around the frame heard of it */
function point(
  type: string,
  [x, y]: readonly [number, number],
  { id = 1, target = picture, pointerType = 'touch' } = {},
) {
  const isUp = type === 'pointerup'
  let isHeard = false
  document.body.addEventListener(type, () => (isHeard = true), { once: true })
  const place = { clientX: x, clientY: y, pointerId: id, pointerType, buttons: isUp ? 0 : 1 }
  target.dispatchEvent(new PointerEvent(type, { ...place, bubbles: true }))
  return isHeard
}

function pinchTo(scale: number) {
  point('pointerdown', [150, 100], { id: 1 })
  point('pointerdown', [250, 100], { id: 2 })
  point('pointermove', [200 - 50 * scale, 100], { id: 1 })
  point('pointermove', [200 + 50 * scale, 100], { id: 2 })
  return [point('pointerup', [0, 0], { id: 1 }), point('pointerup', [0, 0], { id: 2 })]
}

const scaleShown = () => Number(/scale\((.+)\)/.exec(picture.style.transform)?.[1] ?? 1)

test('two fingers enlarge the picture, and are no taps', () => {
  expect(pinchTo(2)).toEqual([false, false])
  expect(scaleShown()).toBeCloseTo(2)
  expect(frame).toHaveAttribute('data-zoomed')
  pinchTo(0.2)
  expect(picture.style.transform).toBe('')
  expect(frame).not.toHaveAttribute('data-zoomed')
})

test('one finger moves an enlarged picture, and leaves a whole one to the page', () => {
  point('pointerdown', [100, 100])
  point('pointermove', [50, 100])
  expect(point('pointerup', [50, 100])).toBe(true)
  expect(picture.style.transform).toBe('')
  zoom.zoomBy(2)
  point('pointerdown', [100, 100])
  point('pointermove', [50, 90])
  expect(point('pointerup', [50, 90])).toBe(false)
  expect(picture.style.transform).toBe('translate(-250px, -110px) scale(2)')
})

test('fingers on a button are its own', () => {
  zoom.zoomBy(2)
  const before = picture.style.transform
  const target = frame.querySelector('button') ?? picture
  point('pointerdown', [100, 100], { target })
  point('pointermove', [50, 90], { target })
  expect(picture.style.transform).toBe(before)
})

test('a mouse that was released outside moves nothing any more', () => {
  zoom.zoomBy(2)
  const before = picture.style.transform
  point('pointerdown', [100, 100], { pointerType: 'mouse' })
  picture.dispatchEvent(new PointerEvent('pointermove', { clientX: 10, clientY: 10, pointerId: 1, bubbles: true }))
  expect(picture.style.transform).toBe(before)
})

test('a double tap enlarges what is under it, and shows the whole again', () => {
  zoom.toggle({ clientX: 400, clientY: 200 })
  expect(picture.style.transform).toBe('translate(-600px, -300px) scale(2.5)')
  zoom.toggle({ clientX: 0, clientY: 0 })
  expect(picture.style.transform).toBe('')
})

test('a turned phone shows the whole; one whose bars go away keeps what is shown', () => {
  zoom.zoomBy(3)
  window.dispatchEvent(new Event('resize'))
  expect(scaleShown()).toBe(3)
  frame.getBoundingClientRect = () => new DOMRect(0, 0, 700, 350)
  window.dispatchEvent(new Event('resize'))
  expect(scaleShown()).toBe(1)
})

test('a video that has got its size by now keeps what is shown too', () => {
  frame.getBoundingClientRect = () => new DOMRect(0, 0, 800, 400)
  zoom.zoomBy(3)
  window.dispatchEvent(new Event('resize'))
  expect(scaleShown()).toBe(3)
})

test('fingers that were down before are followed', () => {
  point('pointermove', [150, 100], { id: 1 })
  point('pointermove', [250, 100], { id: 2 })
  point('pointermove', [350, 100], { id: 2 })
  expect(scaleShown()).toBeCloseTo(2)
})

test('a part that is shown stays in view when the frame changes its size, unless the picture was moved since', () => {
  zoom.showPart({ x: 50, y: 0, width: 50, height: 50 })
  expect(picture.style.transform).toBe('translate(-400px) scale(2)')
  frame.getBoundingClientRect = () => new DOMRect(0, 0, 800, 400)
  window.dispatchEvent(new Event('resize'))
  expect(picture.style.transform).toBe('translate(-800px) scale(2)')
  zoom.zoomBy(1.5)
  frame.getBoundingClientRect = () => new DOMRect(0, 0, 400, 200)
  window.dispatchEvent(new Event('resize'))
  expect(picture.style.transform).toBe('')
})
