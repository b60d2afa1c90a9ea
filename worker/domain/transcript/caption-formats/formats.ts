import { isAss, readAss } from './ass.ts'
import { readCueBlocks } from './cue-blocks.ts'
import { isMicroDvd, readMicroDvd } from './micro-dvd.ts'
import type { CaptionFile, RawCue } from './raw-cue.ts'
import { isTimedJson, readTimedJson } from './timed-json.ts'
import { isTimedLines, readTimedLines } from './timed-lines.ts'
import { isTtml, readTtml } from './ttml.ts'

interface CaptionFormat {
  name: string
  /** By what the file says, for its name may be wrong. */
  recognises: (file: CaptionFile) => boolean
  read: (file: CaptionFile) => RawCue[]
}

/** The formats that are read; the last is the most tolerant, and takes what no other does. */
const CAPTION_FORMATS: readonly CaptionFormat[] = [
  { name: 'TTML, DFXP', recognises: isTtml, read: readTtml },
  { name: 'SubStation Alpha', recognises: isAss, read: readAss },
  { name: 'MicroDVD', recognises: isMicroDvd, read: readMicroDvd },
  { name: 'JSON of Whisper and YouTube', recognises: isTimedJson, read: readTimedJson },
  { name: 'lines below or behind a time', recognises: isTimedLines, read: readTimedLines },
  { name: 'WebVTT, SRT, .sbv, exports of Premiere and DaVinci', recognises: () => true, read: readCueBlocks },
]

/** Reads the cues of a file, whatever its format is. */
export function readCues(file: CaptionFile): RawCue[] {
  const format = CAPTION_FORMATS.find(({ recognises }) => recognises(file))
  return format?.read(file) ?? []
}
