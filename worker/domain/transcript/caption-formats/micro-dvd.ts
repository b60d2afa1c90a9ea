import type { CaptionFile, RawCue } from './raw-cue.ts'

const CUE = /^\{(\d{1,8})\}\{(\d{0,8})\}(.*)$/
/** The first line may say the frame rate: `{1}{1}23.976`. */
const RATE = /^\d{1,3}(?:[.,]\d{1,3})?$/
/** What players take where a file does not say it. */
const USUAL_RATE = 25
/** `{y:i}`: italics. */
const CONTROL = /\{[A-Za-z]:[^{}]{0,100}\}/g

/** Whether a file is MicroDVD: `{first frame}{last frame}text`. */
export function isMicroDvd({ lines }: CaptionFile): boolean {
  const filled = lines.filter((line) => line !== '')
  return filled.filter((line) => CUE.test(line)).length * 2 > filled.length
}

/** Reads MicroDVD, with 25 frames a second where it does not say how many, which is noted. */
export function readMicroDvd({ lines, log }: CaptionFile): RawCue[] {
  const cues: RawCue[] = []
  let rate: number | null = null
  for (const [lineIndex, line] of lines.entries()) {
    const [, first, last, text = ''] = CUE.exec(line) ?? []
    if (first === undefined) {
      if (line !== '') log.note(lineIndex, 'left_out')
      continue
    }
    if (cues.length === 0 && rate === null && RATE.test(text) && Number(text.replace(',', '.')) > 0) {
      rate = Number(text.replace(',', '.'))
      continue
    }
    const msOf = (frame: string | undefined) =>
      frame === undefined || frame === '' ? null : Math.round((Number(frame) * 1000) / (rate ?? USUAL_RATE))
    cues.push({ lineIndex, startMs: msOf(first), endMs: msOf(last), lines: text.replaceAll(CONTROL, '').split('|') })
  }
  if (rate === null) log.note(cues[0]?.lineIndex ?? 0, 'frame_rate')
  return cues
}
