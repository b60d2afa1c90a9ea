import type { StepCommand } from '#contract/step.ts'
import { type Cuts, clampSpan, listVisibleLines, listVisibleSteps } from '#contract/time/visible-time.ts'

interface HasCommands {
  commands: StepCommand[]
}

interface TimedRow {
  startMs: number
  endMs: number
}

const toSpan = <Row extends TimedRow>(row: Row) => ({ row, start: row.startMs / 1000, end: row.endMs / 1000 })

/** Lines of a transcript without those that are left out of the video. */
export function listVisibleSegments<Row extends TimedRow>(segments: readonly Row[], cuts: Cuts): Row[] {
  return listVisibleLines(segments.map(toSpan), cuts).map(({ row }) => row)
}

/** Texts of the screen with the times that are shown of them; those of which nothing is leave. */
export function listVisibleRows<Row extends TimedRow>(rows: readonly Row[], cuts: Cuts): Row[] {
  return listVisibleSteps(rows.map(toSpan), cuts).map(({ row, start, end }) => {
    return { ...row, startMs: Math.round(start * 1000), endMs: Math.round(end * 1000) }
  })
}

/** The same for steps, with the commands that are shown. */
export function listVisibleStepRows<Row extends TimedRow & HasCommands>(steps: readonly Row[], cuts: Cuts): Row[] {
  return listVisibleRows(steps, cuts).map((row) => ({ ...row, commands: listVisibleCommands(row, cuts) }))
}

/** Commands of a step without those that are shown first where the video is left out. */
export function listVisibleCommands({ commands }: HasCommands, cuts: Cuts): StepCommand[] {
  return commands.filter(({ startMs }) => clampSpan({ start: startMs / 1000, end: startMs / 1000 }, cuts) !== null)
}
