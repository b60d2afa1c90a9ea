import { CAPTION_CUES_MAX, SEGMENT_MAX_CHARS } from '#contract/limits.ts'
import { AppError } from '#worker/errors.ts'
import type { Cue } from './tidy-cues.ts'

const inWords = (count: number) => count.toLocaleString('en')

/** Makes the refusal of a file with too many cues, or whose long cues have too many sentences. */
export function refuseCueCount(found: number, what: 'cues' | 'sentences' = 'cues'): AppError {
  const message = `The caption file has ${inWords(found)} ${what}, and ${inWords(CAPTION_CUES_MAX)} are allowed.`
  return new AppError('captions_invalid', `${message} Divide it together with its video.`)
}

/** Finds the first cue with too much text; cues that begin at the same moment have been joined by then. */
export function findLongCue(cues: readonly Cue[]): Cue | null {
  return cues.find(({ text }) => text.length > SEGMENT_MAX_CHARS) ?? null
}

/** Makes the refusal of a file with such a cue. */
export function refuseLongCue({ startMs, text }: Cue): AppError {
  const found = `The cue at ${formatTime(startMs)} has ${inWords(text.length)} characters of text`
  const allowed = `${inWords(SEGMENT_MAX_CHARS)} are allowed. Divide it into several cues.`
  return new AppError('captions_invalid', `${found}, and ${allowed}`)
}

/** `01:02:03.004`, as the file has it. */
function formatTime(ms: number): string {
  const two = (value: number) => String(Math.floor(value)).padStart(2, '0')
  const ofSecond = String(ms % 1000).padStart(3, '0')
  return `${two(ms / 3_600_000)}:${two((ms / 60_000) % 60)}:${two((ms / 1000) % 60)}.${ofSecond}`
}
