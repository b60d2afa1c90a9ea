type Point = [x: number, y: number]
/** A cubic Bézier curve: begin, two handles, end. */
export type Curve = [Point, Point, Point, Point]

const PIECES = 32

/** A straight line as a curve. */
export function line(begin: Point, end: Point): Curve {
  return [begin, begin, end, end]
}

/**
 * SVG path data of the first part of joined curves. A share of 0.5 ends at half of their pieces. Drawn as short lines,
 * because librsvg knows no `pathLength` with which dashes could do this.
 */
export function drawShare(curves: Curve[], share: number): string {
  const last = Math.round(share * curves.length * PIECES)
  const points = Array.from({ length: last + 1 }, (_, index) => {
    const curve = curves[Math.min(curves.length - 1, Math.floor(index / PIECES))]
    return curve ? pointAt(curve, index === curves.length * PIECES ? 1 : (index % PIECES) / PIECES) : [0, 0]
  })
  return `M${points.map((point) => point.map((value) => value.toFixed(1)).join(' ')).join(' L')}`
}

function pointAt([begin, first, second, end]: Curve, share: number): Point {
  const rest = 1 - share
  const mix = (axis: 0 | 1) =>
    rest ** 3 * begin[axis] +
    3 * rest ** 2 * share * first[axis] +
    3 * rest * share ** 2 * second[axis] +
    share ** 3 * end[axis]
  return [mix(0), mix(1)]
}
