/** Space that a curve is drawn in. Stretched to whatever room there is. */
export const CURVE_BOX = { width: 1000, height: 100 } as const

/**
 * The outline of a curve of equally long pieces, as steps: a piece is a number of learners, and nothing is known of what
 * lies between two.
 * @param most what reaches to the top
 */
export function drawCurvePath(learners: readonly number[], most: number): string {
  const { width, height } = CURVE_BOX
  const x = (piece: number) => round((piece * width) / Math.max(1, learners.length))
  const y = (count: number) => round(height - (count * height) / Math.max(1, most))
  const corners = learners.map((count, piece) => `V${y(count)}H${x(piece + 1)}`)
  return `M0 ${height}${corners.join('')}V${height}Z`
}

function round(value: number): number {
  return Math.round(value * 100) / 100
}
