import { type Cuts, listVisibleLines, listVisibleSteps } from '#contract/visible-time.ts'

interface TimedRow {
  startMs: number
  endMs: number
}

const toSpan = <Row extends TimedRow>(row: Row) => ({ row, start: row.startMs / 1000, end: row.endMs / 1000 })

/** Lines of a transcript without those that are left out of the video. */
export function listVisibleSegments<Row extends TimedRow>(segments: readonly Row[], cuts: Cuts): Row[] {
  return listVisibleLines(segments.map(toSpan), cuts).map(({ row }) => row)
}

/** Steps, or texts of the screen, with the times that are shown of them; those of which nothing is leave. */
export function listVisibleStepRows<Row extends TimedRow>(steps: readonly Row[], cuts: Cuts): Row[] {
  return listVisibleSteps(steps.map(toSpan), cuts).map(({ row, start, end }) => {
    return { ...row, startMs: Math.round(start * 1000), endMs: Math.round(end * 1000) }
  })
}
