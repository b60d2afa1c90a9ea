/** How a picture is shown in its frame: how much larger, and where its upper left corner is, in pixels of the frame. */
export interface ZoomView {
  scale: number
  x: number
  y: number
}

export interface Point {
  x: number
  y: number
}

export interface Size {
  width: number
  height: number
}

export const WHOLE_VIEW: ZoomView = { scale: 1, x: 0, y: 0 }

/** A text of a screen of 1,920 px is read on a phone of 360 px at that. */
export const ZOOM_MAX = 5

/** Enlarges a picture; what is under the point stays there, as far as the picture still fills its frame. */
export function scaleView(view: ZoomView, factor: number, point: Point, frame: Size): ZoomView {
  const scale = Math.min(ZOOM_MAX, Math.max(1, view.scale * factor))
  const growth = scale / view.scale
  const x = point.x - (point.x - view.x) * growth
  const y = point.y - (point.y - view.y) * growth
  return fillFrame({ scale, x, y }, frame)
}

/** Moves a picture, no further than to its own edge. */
export function moveView(view: ZoomView, by: Point, frame: Size): ZoomView {
  return fillFrame({ ...view, x: view.x + by.x, y: view.y + by.y }, frame)
}

/** A part of a frame, in hundredths of it. */
export interface Part extends Point, Size {}

/** Shows a part of the frame as large as it fits, in the middle. */
export function viewPart(part: Part, frame: Size): ZoomView {
  const scale = Math.min(ZOOM_MAX, Math.max(1, Math.min(100 / part.width, 100 / part.height)))
  const offset = (length: number, from: number, size: number) => length / 2 - (scale * length * (from + size / 2)) / 100
  const [x, y] = [offset(frame.width, part.x, part.width), offset(frame.height, part.y, part.height)]
  return fillFrame({ scale, x, y }, frame)
}

function fillFrame({ scale, x, y }: ZoomView, { width, height }: Size): ZoomView {
  const within = (offset: number, length: number) => Math.min(0, Math.max(offset, length * (1 - scale)))
  return { scale, x: within(x, width), y: within(y, height) }
}
