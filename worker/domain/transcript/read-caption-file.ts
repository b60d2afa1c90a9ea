import type { CaptionEncoding } from '#contract/captions/encodings.ts'
import {
  CAPTION_LINES_SHOWN,
  CAPTION_READINGS_MAX,
  type CaptionReading,
  type CaptionShift,
} from '#contract/captions/report.ts'
import type { CaptionLanguage, CaptionsAnswer, CaptionsQuery } from '#contract/transcript.ts'
import { AppError } from '#worker/core/errors.ts'
import type { FormedSegment } from '#worker/db/schema.ts'
import { addTranslation } from './add-translation.ts'
import { findOtherLanguage } from './caption-languages.ts'
import { type FoundMove, findDoubt, findMove, type VideoTimes } from './caption-times/fit-captions.ts'
import { moveCues, moveTime } from './caption-times/move-cues.ts'
import type { Cue } from './cue.ts'
import { decodeCaptions } from './decode-captions.ts'
import { parseCaptions } from './parse-captions.ts'
import { segmentsFromCues } from './segments-from-cues.ts'

/** What the answer says of a caption file. */
export type CaptionReport = Omit<CaptionsAnswer, 'success'>

/** A caption file, read as a person chose. */
interface ReadCaptionFile {
  segments: FormedSegment[]
  report: CaptionReport
}

/** What is known of the video of a caption file. */
export interface CaptionedVideo extends VideoTimes {
  /** That of the speech, where it is known; of a file with two languages, the captions in this one are read. */
  language?: string | null
}

/** Shows which letters an encoding has. */
const NOT_ASCII = /[^\p{ASCII}]/u

function firstTexts(cues: readonly Cue[]): string[] {
  return cues.slice(0, CAPTION_LINES_SHOWN).map(({ text }) => text)
}

function showFirst(cues: readonly Cue[], encoding: CaptionEncoding): string[] {
  const telling = encoding === 'utf-8' ? [] : cues.filter(({ text }) => NOT_ASCII.test(text))
  return firstTexts(telling.length > 0 ? telling : cues)
}

/** The captions as another encoding reads them; null where it makes none of the bytes. */
function readAs(bytes: Uint8Array, charset: CaptionEncoding): Cue[] | null {
  try {
    return parseCaptions(decodeCaptions(bytes, charset).text).cues
  } catch (error) {
    if (error instanceof AppError) return null
    throw error
  }
}

/** The first captions that encodings read in different ways. */
function listReadings(bytes: Uint8Array, encodings: readonly CaptionEncoding[]): CaptionReading[] {
  const read = encodings.slice(0, CAPTION_READINGS_MAX).flatMap((encoding) => {
    const cues = readAs(bytes, encoding)
    return cues === null ? [] : [{ encoding, cues }]
  })
  const [best, ...others] = read
  if (best === undefined || others.length === 0) return []
  const differs = ({ text }: Cue, at: number) => others.some(({ cues }) => cues[at]?.text !== text)
  const shown = best.cues.map(differs)
  return read.map(({ encoding, cues }) => ({ encoding, lines: firstTexts(cues.filter((_, at) => shown[at])) }))
}

function describeLanguage({ language, cues }: { language: string; cues: readonly Cue[] }): CaptionLanguage {
  return { language, cues: cues.length, firstLines: firstTexts(cues) }
}

/** In which language captions are, where they are not in that of the speech, or are one language of two. */
function compareLanguage(
  cues: readonly Cue[],
  language: string | null,
  spoken: string | undefined,
): Pick<CaptionReport, 'language' | 'spoken'> {
  if (spoken === undefined || language === spoken) return { language, spoken: null }
  const texts = cues.map(({ text }) => text)
  const other = findOtherLanguage(texts, spoken)
  return { language: language ?? other, spoken: other === null ? null : spoken }
}

function describeShift(cues: readonly Cue[], found: FoundMove, isMoved: boolean): CaptionShift {
  const seconds = (ms: number) => Math.round(moveTime(ms, found.move) - ms) / 1000
  const [first, last] = [cues[0]?.startMs ?? 0, cues.at(-1)?.startMs ?? 0]
  return { reason: found.reason, first: seconds(first), last: seconds(last), isMoved }
}

/**
 * Reads a caption file and says what was done to read it, and what a person should look at before it is used.
 * @throws {AppError} captions_invalid for a file without captions
 */
export function readCaptionFile(
  bytes: Uint8Array,
  { charset, times, language: chosen }: CaptionsQuery,
  video: CaptionedVideo,
): ReadCaptionFile {
  const { text, encoding, alternatives, log } = decodeCaptions(bytes, charset)
  const spoken = video.language?.split('-')[0]
  const wanted = [chosen, spoken]
  const { cues: written, languages, language } = parseCaptions(text, { durationMs: video.durationMs, log, wanted })
  const found = findMove(written, video)
  const isMoved = found !== null && (times === undefined ? found.reason === 'after_end' : times === 'moved')
  const cues = isMoved ? moveCues(written, found.move) : written
  const report: CaptionReport = {
    cues: cues.length,
    encoding,
    alternatives,
    repairs: log.named,
    repairCount: log.count,
    languages: languages.map(describeLanguage),
    ...compareLanguage(written, language, spoken),
    firstLines: showFirst(cues, encoding),
    readings: alternatives.length > 0 ? listReadings(bytes, [encoding, ...alternatives]) : [],
    shift: found && describeShift(written, found, isMoved),
    doubt: findDoubt(cues, video),
  }
  const other = languages.find((each) => each.language !== language)
  const segments = segmentsFromCues(cues)
  if (other === undefined) return { segments, report }
  const translated = segmentsFromCues(isMoved ? moveCues(other.cues, found.move) : other.cues)
  return { segments: addTranslation(segments, { language: other.language, translated }), report }
}
