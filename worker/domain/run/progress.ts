/** Shares of the work (reading-the-spec, "Progress"); they add up to 100. */
const CHECKED = 10
const SPEECH = 50
const STEPS = 30

/** Percent once the upload has been checked. */
export const PROGRESS_CHECKED = CHECKED
/** Percent once all steps are written; the rest is the commit. */
export const PROGRESS_WRITTEN = CHECKED + SPEECH + STEPS

/** Work done and to do; what is to do may be an estimate, and too small. */
export interface WorkDone {
  /** Parts; of a captioned module nothing is to be heard. */
  heardCount: number
  partCount: number
  writtenStretches: number
  stretchCount: number
}

/** Percent while narration is heard and steps are written, side by side. */
export function progressOf(done: WorkDone): number {
  const heard = done.partCount === 0 ? 1 : shareOf(done.heardCount, done.partCount)
  return CHECKED + SPEECH * heard + STEPS * shareOf(done.writtenStretches, done.stretchCount)
}

function shareOf(done: number, all: number): number {
  return all <= 0 ? 0 : Math.min(1, done / all)
}
