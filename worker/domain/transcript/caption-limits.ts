import { CAPTION_CUES_MAX } from '#contract/limits.ts'
import { AppError } from '#worker/core/errors.ts'

/** A count as people read it in English: with commas between thousands. */
export const formatCount = (count: number) => count.toLocaleString('en')

/** Makes the refusal of a file with too many cues, or whose long cues have too many sentences. */
export function refuseCueCount(found: number, what: 'cues' | 'sentences' = 'cues'): AppError {
  const message = `The caption file has ${formatCount(found)} ${what}, and ${formatCount(CAPTION_CUES_MAX)} are allowed.`
  return new AppError('captions_invalid', `${message} Divide it together with its video.`)
}
