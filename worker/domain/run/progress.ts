/** Shares of the work (reading-the-spec, "Progress"); they add up to 100. */
const CHECKED = 10
const SPEECH = 50
const STEPS = 30

/** Percent once the upload has been checked. */
export const PROGRESS_CHECKED = CHECKED
/** Percent once every part has been heard, and where a module with captions begins to write steps. */
export const PROGRESS_HEARD = CHECKED + SPEECH
/** Percent once all steps are written; the rest is the commit. */
export const PROGRESS_WRITTEN = PROGRESS_HEARD + STEPS
export const PROGRESS_DONE = 100

/** Percent while speech is being heard. `partCount` may be an estimate and may be too small. */
export function progressOfSpeech(heardCount: number, partCount: number): number {
  const share = partCount <= 0 ? 0 : Math.min(1, heardCount / partCount)
  return CHECKED + SPEECH * share
}

/** Percent while the steps are being written. */
export function progressOfSteps(doneWindows: number, windowCount: number): number {
  return PROGRESS_HEARD + (STEPS * doneWindows) / windowCount
}
