import { listen } from '../browser-state.ts'
import type { Point } from './zoom-view.ts'

/** Further than that, a press was a drag. */
const DRAG_PX = 6

interface Gestures {
  /** While it is not, one finger belongs to the page, which scrolls. */
  isEnlarged: () => boolean
  /** Two fingers are so much further apart; with their middle, in pixels of the window. */
  onPinch: (factor: number, middle: Point) => void
  onMove: (by: Point) => void
}

/** Reports what fingers, and the mouse, do within a frame. What has moved the picture is no tap for others. @returns ends it */
export function followFingers(frame: HTMLElement, { isEnlarged, onPinch, onMove }: Gestures): () => void {
  const pointers = new Map<number, Point>()
  let movedPx = 0

  function begin(event: PointerEvent) {
    if (isOnControl(event) || event.button > 0) return
    if (pointers.size === 0) movedPx = 0
    pointers.set(event.pointerId, { x: event.clientX, y: event.clientY })
  }
  function move(event: PointerEvent) {
    // A mouse may have been released outside of the window; a finger may have been down before this listened.
    if (event.buttons === 0) pointers.delete(event.pointerId)
    else if (event.pointerType !== 'mouse' && !pointers.has(event.pointerId)) return begin(event)
    const before = pointers.get(event.pointerId)
    if (before === undefined) return
    const now = { x: event.clientX, y: event.clientY }
    const other = [...pointers].find(([id]) => id !== event.pointerId)?.[1]
    pointers.set(event.pointerId, now)
    const by = { x: now.x - before.x, y: now.y - before.y }
    if (other !== undefined || isEnlarged()) movedPx += Math.hypot(by.x, by.y)
    if (other === undefined) return onMove(by)
    const middle = { x: (now.x + other.x) / 2, y: (now.y + other.y) / 2 }
    onPinch(distance(now, other) / Math.max(1, distance(before, other)), middle)
    // Two fingers move what is between them, each by its half.
    onMove({ x: by.x / 2, y: by.y / 2 })
  }
  function end(event: PointerEvent) {
    if (pointers.delete(event.pointerId) && movedPx > DRAG_PX) event.stopPropagation()
  }
  /** Otherwise the browser would take two fingers for scrolling, and one that moves an enlarged picture. */
  function keepGesture(event: TouchEvent) {
    const isOurs = event.touches.length > 1 || (isEnlarged() && pointers.size > 0)
    if (event.cancelable && isOurs) event.preventDefault()
  }
  const ends = [
    listen(frame, { pointerdown: begin, pointermove: move }, { capture: true }),
    listen(window, { pointerup: end, pointercancel: end }, { capture: true }),
    listen(frame, { touchmove: keepGesture }, { passive: false }),
  ]
  return () => ends.forEach((stop) => stop())
}

function isOnControl({ target }: Event): boolean {
  return target instanceof Element && target.closest('button, a, input, select, [role=slider], [popover]') !== null
}

function distance(one: Point, other: Point): number {
  return Math.hypot(one.x - other.x, one.y - other.y)
}
