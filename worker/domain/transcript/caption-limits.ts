import { CAPTION_CUES_MAX, SEGMENT_MAX_CHARS } from '#contract/limits.ts'
import { AppError } from '#worker/core/errors.ts'
import type { Cue } from './cue.ts'

/** A count as people read it in English: with commas between thousands. */
export const formatCount = (count: number) => count.toLocaleString('en')

/** Makes the refusal of a file with too many cues, or whose long cues have too many sentences. */
export function refuseCueCount(found: number, what: 'cues' | 'sentences' = 'cues'): AppError {
  const message = `The caption file has ${formatCount(found)} ${what}, and ${formatCount(CAPTION_CUES_MAX)} are allowed.`
  return new AppError('captions_invalid', `${message} Divide it together with its video.`)
}

/** Makes the refusal of a file with a cue, or a sentence of a cue, with too much text. */
export function refuseLongCue({ startMs, text }: Cue): AppError {
  const found = `The cue at ${formatTime(startMs)} has ${formatCount(text.length)} characters of text`
  const allowed = `${formatCount(SEGMENT_MAX_CHARS)} are allowed. Divide it into several cues.`
  return new AppError('captions_invalid', `${found}, and ${allowed}`)
}

/** `01:02:03.004`, as the file has it. */
function formatTime(ms: number): string {
  const two = (value: number) => String(Math.floor(value)).padStart(2, '0')
  const ofSecond = String(ms % 1000).padStart(3, '0')
  return `${two(ms / 3_600_000)}:${two((ms / 60_000) % 60)}:${two((ms / 1000) % 60)}.${ofSecond}`
}
