import { isAss, readAss } from './ass.ts'
import { readCueBlocks } from './cue-blocks.ts'
import { isMicroDvd, readMicroDvd } from './micro-dvd.ts'
import { isNumberedLines, readNumberedLines } from './numbered-lines.ts'
import type { CaptionFile, RawCue } from './raw-cue.ts'
import { isSyncXml, readSyncXml } from './sync-xml.ts'
import { isTimedJson, readTimedJson } from './timed-json.ts'
import { isTimedLines, readTimedLines } from './timed-lines.ts'
import { isTimedTable, readTimedTable } from './timed-tables.ts'
import { isTtml, readTtml } from './ttml.ts'

interface CaptionFormat {
  /** By what the file says, for its name may be wrong. */
  recognises: (file: CaptionFile) => boolean
  read: (file: CaptionFile) => RawCue[]
}

/** The formats that can be recognised, in the order in which they are tried. */
const CAPTION_FORMATS: readonly CaptionFormat[] = [
  { recognises: isTtml, read: readTtml },
  { recognises: isSyncXml, read: readSyncXml },
  { recognises: isAss, read: readAss },
  { recognises: isMicroDvd, read: readMicroDvd },
  { recognises: isNumberedLines, read: readNumberedLines },
  { recognises: isTimedTable, read: readTimedTable },
  { recognises: isTimedJson, read: readTimedJson },
  { recognises: isTimedLines, read: readTimedLines },
]

/** Reads the cues of a file, whatever its format is: WebVTT, SRT, .sbv, exports of Premiere and DaVinci where no other fits. */
export function readCues(file: CaptionFile): RawCue[] {
  const format = CAPTION_FORMATS.find(({ recognises }) => recognises(file))
  return format === undefined ? readCueBlocks(file) : format.read(file)
}
