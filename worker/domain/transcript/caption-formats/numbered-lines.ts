import type { CaptionFile, RawCue } from './raw-cue.ts'
import { readTime } from './read-times.ts'

/** MPL2: tenths of a second in brackets; a stroke breaks a line, one in front of it is italics. */
const MPL2 = /^\[(\d{1,7})\]\s?\[(\d{0,7})\]\s?(.*)$/
/** TMPlayer: a start, and the text. */
const TM_PLAYER = /^(\d{1,2}:\d{2}:\d{2})(?:[:=]|,\d[:=])(?!\d{2}(?!\d))(.*)$/
/** Other lines are few. */
const SHARE_MIN = 0.5

function isMostly({ lines }: CaptionFile, pattern: RegExp): boolean {
  const filled = lines.filter((line) => line !== '')
  return filled.length > 0 && filled.filter((line) => pattern.test(line)).length > filled.length * SHARE_MIN
}

/** Whether a file is MPL2 or TMPlayer, with a cue in each line. */
export function isNumberedLines(file: CaptionFile): boolean {
  return isMostly(file, MPL2) || isMostly(file, TM_PLAYER)
}

/** Reads such a file. */
export function readNumberedLines({ lines, log }: CaptionFile): RawCue[] {
  const cues: RawCue[] = []
  for (const [lineIndex, line] of lines.entries()) {
    const [, first, last, text = ''] = MPL2.exec(line) ?? []
    const [, clock, said = ''] = TM_PLAYER.exec(line) ?? []
    if (first !== undefined) {
      const endMs = last === undefined || last === '' ? null : Number(last) * 100
      cues.push({ lineIndex, startMs: Number(first) * 100, endMs, lines: text.split('|').map(removeItalics) })
    } else if (clock !== undefined) {
      cues.push({ lineIndex, startMs: readTime(clock, 1), endMs: null, lines: said.split('|') })
    } else if (line !== '') {
      log.note(lineIndex, 'left_out')
    }
  }
  return cues
}

function removeItalics(line: string): string {
  return line.replace(/^\s?\/(?=\S)/, '')
}
