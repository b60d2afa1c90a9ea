/** Shares of the work in percent (reading-the-spec, "Progress"); with the last 10 for the commit they add up to 100. */
export const PROGRESS_SHARES = { checked: 10, speech: 50, steps: 30 } as const

/** Percent once the upload has been checked. */
export const PROGRESS_CHECKED = PROGRESS_SHARES.checked
/** Percent once all steps are written; the rest is the commit. */
export const PROGRESS_WRITTEN = PROGRESS_SHARES.checked + PROGRESS_SHARES.speech + PROGRESS_SHARES.steps

/** True when the last transcribed chunk changes the progress: in a long recording most change no whole percent. */
export function isFurther({
  transcribedCount,
  chunkCount,
}: {
  transcribedCount: number
  chunkCount: number | null
}): boolean {
  if (chunkCount === null) return true
  const percent = (transcribed: number) => Math.floor((PROGRESS_SHARES.speech * transcribed) / chunkCount)
  return percent(transcribedCount) > percent(transcribedCount - 1)
}
