import { CAPTION_CUES_MAX } from '#contract/limits.ts'
import { AppError } from '#worker/core/errors.ts'
import { removeAssBreaks } from './caption-formats/ass.ts'
import { readCues } from './caption-formats/formats.ts'
import { type CaptionFile, openLineCounter, splitLines } from './caption-formats/raw-cue.ts'
import { RepairLog } from './caption-formats/repair-log.ts'
import { splitLanguages } from './caption-languages.ts'
import { refuseCueCount } from './caption-limits.ts'
import type { Cue } from './cue.ts'
import { placeCues } from './place-cues.ts'
import { isSoundMark } from './sound-marks.ts'
import { tidyCues } from './tidy-cues.ts'

const EXAMPLE = '00:01:05.000 --> 00:01:09.000'
/** Text has no NULs; a few of them are damage. */
const NUL_SHARE_MAX = 0.01

function refuse(lineIndex: number, complaint: string): AppError {
  return new AppError('captions_invalid', `Line ${lineIndex + 1}: ${complaint}`)
}

function refuseEmptyOrBinary({ text, lines }: CaptionFile): void {
  const nul = text.indexOf('\0')
  if (nul !== -1 && text.split('\0').length - 1 > text.length * NUL_SHARE_MAX)
    throw refuse(
      text.slice(0, nul).split('\n').length - 1,
      'this is not text. Use a caption file, such as .vtt or .srt.',
    )
  if (lines.every((line) => line === '')) throw new AppError('captions_invalid', 'The caption file is empty.')
}

/** Says why a file without any cue is none of captions: its first line that should be the times of a cue. */
function refuseOtherFile({ lines }: CaptionFile): AppError {
  const first = lines.findIndex((line) => line !== '')
  if (/^webvtt/i.test(lines[first] ?? '')) return refuseWithoutText()
  if (/^[<{[]/.test(lines[first] ?? ''))
    return refuse(first, 'this is not a caption file. Use a caption file, such as .vtt or .srt.')
  const isNumber = /^\d{1,9}$/.test(lines[first] ?? '')
  const text = isNumber ? lines.findIndex((line, at) => at > first && line !== '') : first
  return refuse(text === -1 ? first : text, `this is not a time range like ${EXAMPLE}.`)
}

function refuseWithoutText(): AppError {
  return new AppError('captions_invalid', 'The caption file has no cue with text in it.')
}

function refuseSounds(): AppError {
  return new AppError(
    'captions_invalid',
    'The caption file names sounds only, such as [music]. It has nothing that is said.',
  )
}

/** Leaves out what stands for a letter that was lost before the file came here. */
function removeBadSigns(text: string, log: RepairLog): string {
  if (!text.includes('\ufffd')) return text
  const findLine = openLineCounter(text)
  for (const { index } of text.matchAll(/\ufffd+/g)) log.note(findLine(index), 'bad_sign')
  return text.replaceAll('\ufffd', '')
}

/** What a caption file says, and what was done to read it. */
interface ReadCaptions {
  cues: Cue[]
  log: RepairLog
  /** Both languages of a file that says everything in two, as they stand in it; otherwise empty. */
  languages: { language: string; cues: Cue[] }[]
  /** That of the cues, where there are two. */
  language: string | null
}

/** What is known beside the text. */
interface CaptionFacts {
  /** Of the video; null where it is not known. */
  durationMs?: number | null
  /** Holds what was noted while the text was decoded. */
  log?: RepairLog
  /** Which language is read of a file with two: the first of these that it has, or else its first. Primary tags. */
  wanted?: readonly (string | null | undefined)[]
}

/**
 * Reads a caption file, as untidy as it comes: odd times and arrows, missing blank lines and numbers, tags, entities, NOTE
 * and STYLE blocks, captions that roll up. What is wrong with a cue is repaired or left out, and noted by its line. Cues
 * come out in order without overlap.
 * @throws {AppError} `captions_invalid` for a file in which nothing has a time or nothing is said, or that has too many cues
 */
export function parseCaptions(
  text: string,
  { durationMs = null, log = new RepairLog(), wanted = [] }: CaptionFacts = {},
): ReadCaptions {
  const plain = removeAssBreaks(removeBadSigns(text.replace(/^\uFEFF+/, ''), log))
  const file: CaptionFile = { text: plain, lines: splitLines(plain), log }
  refuseEmptyOrBinary(file)
  const read = readCues(file)
  if (read.every(({ startMs, endMs }) => startMs === null && endMs === null)) throw refuseOtherFile(file)
  if (read.length > CAPTION_CUES_MAX) throw refuseCueCount(read.length)
  const placed = placeCues(read, durationMs, log)
  const found = splitLanguages(placed)
  const chosen = wanted.map((tag) => found?.find(({ language }) => language === tag)).find((each) => each !== undefined)
  const language = chosen?.language ?? found?.[0].language ?? null
  const languages = (found ?? []).map((each) => {
    return { language: each.language, cues: tidyCues(each.cues, each.language === language ? log : new RepairLog()) }
  })
  const cues = languages.find((each) => each.language === language)?.cues ?? tidyCues(placed, log)
  if (cues.length === 0) throw refuseWithoutText()
  if (cues.every((cue) => isSoundMark(cue.text))) throw refuseSounds()
  return { cues, log, languages, language }
}
