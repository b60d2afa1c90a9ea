import { CAPTION_CUES_MAX, SEGMENT_MAX_CHARS } from '#contract/limits.ts'
import { AppError } from '#worker/core/errors.ts'
import { formatCount, refuseCueCount } from './caption-limits.ts'
import { type Cue, type CueLines, cleanCueText, tidyCues } from './tidy-cues.ts'

// A parser of our own: media-captions refuses `00:0:05` and a comma in WebVTT, and names no line for a bad SRT cue.

const TIME = String.raw`(?:(\d{1,3}):)?(\d{1,3}):(\d{1,2})(?:[.,](\d{1,9}))?`
const TIME_RANGE = new RegExp(String.raw`^${TIME}[ \t]*-->[ \t]*${TIME}(?=$|[ \t])(.*)$`)
/** Made of digits and signs only and with a time in it: meant as a time range, whatever is wrong with it. */
const LOOKS_LIKE_TIMES = /^(?=.*\d:\d)[\d:.,;\s>–—→-]+$/
const CUE_NUMBER = /^\d{1,9}$/
const SETTINGS = /^(?:\s+[A-Za-z]\w*:\S*)*\s*$/
const SKIPPED_BLOCK = /^(?:NOTE|STYLE|REGION)(?:$|[ \t:])/
const EXAMPLE = '00:01:05.000 --> 00:01:09.000'
/** Some tools round up to 60 instead of carrying over. */
const SIXTY = 60
/** A text line this long is no caption; checking its form would only cost time. */
const TIME_LINE_MAX_CHARS = 500

function refuse(lineIndex: number, complaint: string): AppError {
  return new AppError('captions_invalid', `Line ${lineIndex + 1}: ${complaint}`)
}

function notATimeRange(lineIndex: number): AppError {
  return refuse(lineIndex, `this is not a time range like ${EXAMPLE}.`)
}

function toMs(chunks: (string | undefined)[]): number | null {
  const [hours, minutes, seconds, fraction] = chunks
  const minute = Number(minutes)
  const second = Number(seconds)
  if (second > SIXTY || (hours !== undefined && minute > SIXTY)) return null
  const wholeS = Number(hours ?? 0) * 3600 + minute * 60 + second
  return wholeS * 1000 + Math.round(Number(`0.${fraction ?? '0'}`) * 1000)
}

interface TimeRange {
  startMs: number
  endMs: number
  /** Text on the same line; empty for cue settings. */
  rest: string
}

function readTimeRange(line: string): TimeRange | null {
  const match = line.length <= TIME_LINE_MAX_CHARS ? TIME_RANGE.exec(line) : null
  if (match === null) return null
  const startMs = toMs(match.slice(1, 5))
  const endMs = toMs(match.slice(5, 9))
  if (startMs === null || endMs === null) return null
  const rest = match[9] ?? ''
  return { startMs, endMs, rest: SETTINGS.test(rest) ? '' : rest }
}

function looksLikeTimes(line: string): boolean {
  return line.includes('-->') || (line.length <= TIME_LINE_MAX_CHARS && LOOKS_LIKE_TIMES.test(line))
}

/** Reads a file line by line; a cue stays open until the next one begins, since some have blank lines inside. */
class CueReader {
  readonly cues: CueLines[] = []
  readonly #lines: string[]
  readonly #isVtt: boolean
  #lineIndex = 0

  constructor(lines: string[]) {
    this.#lines = lines
    this.#isVtt = /^WEBVTT(?:$|\s)/.test(lines[0] ?? '')
  }

  readAll(): CueLines[] {
    if (this.#isVtt) this.#skipBlock()
    let isBlockStart = true
    while (this.#lineIndex < this.#lines.length) {
      const line = this.#line(0)
      if (line === '') {
        isBlockStart = true
        this.#lineIndex += 1
      } else if (isBlockStart && this.#isVtt && SKIPPED_BLOCK.test(line)) {
        this.#skipBlock()
      } else {
        this.#readLine(line, isBlockStart)
        isBlockStart = false
      }
    }
    return this.cues
  }

  #line(offset: number): string {
    return this.#lines[this.#lineIndex + offset] ?? ''
  }

  #skipBlock(): void {
    do this.#lineIndex += 1
    while (this.#lineIndex < this.#lines.length && this.#line(0) !== '' && readTimeRange(this.#line(0)) === null)
  }

  #readLine(line: string, isBlockStart: boolean): void {
    if (this.#openCue(0)) return
    if (CUE_NUMBER.test(line) && this.#isCueNumber(line, isBlockStart)) {
      this.#lineIndex += 1
      return
    }
    const isId = isBlockStart && !looksLikeTimes(line) && this.#line(1).includes('-->')
    if (!isId) this.#addText(line, isBlockStart)
    this.#lineIndex += 1
  }

  #openCue(offset: number): boolean {
    const range = readTimeRange(this.#line(offset))
    if (range === null) return false
    if (range.endMs < range.startMs) throw refuse(this.#lineIndex + offset, 'this cue ends before it starts.')
    this.cues.push({ startMs: range.startMs, endMs: range.endMs, lines: [cleanCueText(range.rest)] })
    this.#lineIndex += offset + 1
    return true
  }

  #isCueNumber(line: string, isBlockStart: boolean): boolean {
    const next = this.#line(1)
    if (readTimeRange(next) !== null) return true
    if (looksLikeTimes(next)) throw notATimeRange(this.#lineIndex + 1)
    if (!isBlockStart) return false
    if (next === '') return true
    // The number that comes next: a cue whose time range is missing. Any other number is something that was said.
    if (Number(line) === this.cues.length + 1) throw notATimeRange(this.#lineIndex + 1)
    return false
  }

  #addText(line: string, isBlockStart: boolean): void {
    const isBadRange = isBlockStart ? looksLikeTimes(line) : line.includes('-->') && /^[\d:]/.test(line)
    const cue = this.cues.at(-1)
    if (isBadRange || cue === undefined) throw notATimeRange(this.#lineIndex)
    cue.lines.push(cleanCueText(line))
  }
}

function refuseOtherFiles(text: string, lines: string[]): void {
  const nul = text.indexOf('\0')
  if (nul !== -1) throw refuse(text.slice(0, nul).split('\n').length - 1, 'this is not text. Use a .vtt or .srt file.')
  const first = lines.findIndex((line) => line !== '')
  if (first === -1) throw new AppError('captions_invalid', 'The caption file is empty.')
  if (/^[<{[]/.test(lines[first] ?? '')) throw refuse(first, 'this is not a caption file. Use a .vtt or .srt file.')
}

/**
 * Reads WebVTT or SRT, as untidy as it comes: short times (`00:0:05`, no hours), comma or point, missing blank
 * lines and numbers, tags, entities, NOTE and STYLE blocks, rolling captions. Cues come out in order without overlap.
 * @throws {AppError} `captions_invalid` naming the line of the first bad cue; also for a file that has no cue at all, too
 *   many of them, or one with too much text
 */
export function parseCaptions(text: string): Cue[] {
  const lines = text
    .replace(/^\uFEFF+/, '')
    .split(/\r\n|\n|\r/)
    .map((line) => line.trim())
  refuseOtherFiles(text, lines)
  const read = new CueReader(lines).readAll()
  if (read.length > CAPTION_CUES_MAX) throw refuseCueCount(read.length)
  const cues = tidyCues(read)
  const long = findLongCue(cues)
  if (long !== null) throw refuseLongCue(long)
  if (cues.length === 0) throw new AppError('captions_invalid', 'The caption file has no cue with text in it.')
  return cues
}

/**
 * Decodes the bytes of a caption file: UTF-8, UTF-16 with a byte order mark, otherwise Windows-1252, which older
 * caption editors write without saying so.
 */
export function decodeCaptions(bytes: Uint8Array): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder('utf-16le').decode(bytes)
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return new TextDecoder('utf-16be').decode(bytes)
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: false }).decode(bytes)
  } catch {
    return new TextDecoder('windows-1252').decode(bytes)
  }
}

/** Finds the first cue with too much text; cues that begin at the same moment have been joined by then. */
function findLongCue(cues: readonly Cue[]): Cue | null {
  return cues.find(({ text }) => text.length > SEGMENT_MAX_CHARS) ?? null
}

/** Makes the refusal of a file with such a cue. */
function refuseLongCue({ startMs, text }: Cue): AppError {
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
