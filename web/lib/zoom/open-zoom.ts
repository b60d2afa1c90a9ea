import { listen } from '../browser-state.ts'
import { followFingers } from './follow-fingers.ts'
import { moveView, type Part, type Point, scaleView, viewPart, WHOLE_VIEW, type ZoomView } from './zoom-view.ts'

/** What keys, buttons and double taps do to an enlarged picture. */
export interface Zoom {
  zoomBy(factor: number): void
  /** Enlarges what is under the point, or shows the whole again. */
  toggle(at: Pick<MouseEvent, 'clientX' | 'clientY'>): void
  showPart(part: Part): void
  reset(): void
  /** Shows the whole and listens no more. */
  end(): void
}

/** One press of a key or button. */
export const ZOOM_STEP = 1.5
const DOUBLE_TAP_SCALE = 2.5

/**
 * Lets fingers enlarge a picture in its frame, and fingers and the mouse move it while it is enlarged. A whole picture
 * leaves one finger to the page, which scrolls.
 * @param onChange called with the scale when it has changed
 */
export function openZoom(frame: HTMLElement, picture: HTMLElement, onChange?: (scale: number) => void): Zoom {
  let view: ZoomView = WHOLE_VIEW
  /** What is shown of the picture in a frame of any size; null where people have chosen the view themselves. */
  let shownPart: Part | null = null
  /** The frame's size when it was shown last. */
  let box = frame.getBoundingClientRect()

  function show(next: ZoomView, part: Part | null = null) {
    box = frame.getBoundingClientRect()
    shownPart = part
    const hasChanged = next.scale !== view.scale
    view = next
    const isWhole = view.scale === 1
    picture.style.transformOrigin = '0 0'
    picture.style.transform = isWhole ? '' : `translate(${view.x}px, ${view.y}px) scale(${view.scale})`
    frame.toggleAttribute('data-zoomed', !isWhole)
    if (hasChanged) onChange?.(view.scale)
  }
  /** @param at in pixels of the window; left out for the middle */
  function scaleAt(factor: number, at?: Point) {
    const box = frame.getBoundingClientRect()
    const { x, y } = at ?? { x: box.left + box.width / 2, y: box.top + box.height / 2 }
    show(scaleView(view, factor, { x: x - box.left, y: y - box.top }, box))
  }
  function turnWheel(event: WheelEvent) {
    // How browsers report two fingers on a trackpad.
    if (!event.ctrlKey) return
    event.preventDefault()
    scaleAt(Math.exp(-event.deltaY / 100), { x: event.clientX, y: event.clientY })
  }
  const reset = () => show(WHOLE_VIEW)
  const showPart = (part: Part) => show(viewPart(part, frame.getBoundingClientRect()), part)
  function fit() {
    const { width, height } = frame.getBoundingClientRect()
    // A phone's window also changes where its bars go away, as somebody scrolls.
    if (width === box.width && height === box.height) return
    if (shownPart === null) reset()
    else showPart(shownPart)
  }
  const ends = [
    followFingers(frame, {
      isEnlarged: () => view.scale > 1,
      onPinch: scaleAt,
      onMove: (by) => view.scale > 1 && show(moveView(view, by, frame.getBoundingClientRect())),
    }),
    listen(frame, { wheel: turnWheel }, { passive: false }),
    listen(window, { resize: fit }),
  ]
  return {
    zoomBy: (factor) => scaleAt(factor),
    toggle: ({ clientX: x, clientY: y }) => (view.scale > 1 ? reset() : scaleAt(DOUBLE_TAP_SCALE, { x, y })),
    showPart,
    reset,
    end() {
      for (const stop of ends) stop()
      reset()
    },
  }
}

/** How much a key enlarges; null for all other keys. */
export function zoomOfKey({ key, ctrlKey, metaKey, altKey }: KeyboardEvent): number | null {
  if (ctrlKey || metaKey || altKey) return null
  if (key === '+' || key === '=') return ZOOM_STEP
  return key === '-' ? 1 / ZOOM_STEP : null
}
