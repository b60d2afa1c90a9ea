import { CAPTION_CUES_MAX, SEGMENT_MAX_CHARS } from '#contract/limits.ts'
import { AppError } from '#worker/core/errors.ts'
import type { FormedSegment } from '#worker/db/schema.ts'
import { joinWords } from '#worker/ports/speech-to-text.ts'
import { endsSentence, SENTENCE_MAX_MS } from './form-section.ts'
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
  #at = 0

  constructor(lines: string[]) {
    this.#lines = lines
    this.#isVtt = /^WEBVTT(?:$|\s)/.test(lines[0] ?? '')
  }

  readAll(): CueLines[] {
    if (this.#isVtt) this.#skipBlock()
    let isBlockStart = true
    while (this.#at < this.#lines.length) {
      const line = this.#line(0)
      if (line === '') {
        isBlockStart = true
        this.#at += 1
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
    return this.#lines[this.#at + offset] ?? ''
  }

  #skipBlock(): void {
    do this.#at += 1
    while (this.#at < this.#lines.length && this.#line(0) !== '' && readTimeRange(this.#line(0)) === null)
  }

  #readLine(line: string, isBlockStart: boolean): void {
    if (this.#openCue(0)) return
    if (CUE_NUMBER.test(line) && this.#isCueNumber(line, isBlockStart)) {
      this.#at += 1
      return
    }
    const isId = isBlockStart && !looksLikeTimes(line) && this.#line(1).includes('-->')
    if (!isId) this.#addText(line, isBlockStart)
    this.#at += 1
  }

  #openCue(offset: number): boolean {
    const range = readTimeRange(this.#line(offset))
    if (range === null) return false
    if (range.endMs < range.startMs) throw refuse(this.#at + offset, 'this cue ends before it starts.')
    this.cues.push({ startMs: range.startMs, endMs: range.endMs, lines: [cleanCueText(range.rest)] })
    this.#at += offset + 1
    return true
  }

  #isCueNumber(line: string, isBlockStart: boolean): boolean {
    const next = this.#line(1)
    if (readTimeRange(next) !== null) return true
    if (looksLikeTimes(next)) throw notATimeRange(this.#at + 1)
    if (!isBlockStart) return false
    if (next === '') return true
    // The number that comes next: a cue whose time range is missing. Any other number is something that was said.
    if (Number(line) === this.cues.length + 1) throw notATimeRange(this.#at + 1)
    return false
  }

  #addText(line: string, isBlockStart: boolean): void {
    const isBadRange = isBlockStart ? looksLikeTimes(line) : line.includes('-->') && /^[\d:]/.test(line)
    const cue = this.cues.at(-1)
    if (isBadRange || cue === undefined) throw notATimeRange(this.#at)
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

const inWords = (count: number) => count.toLocaleString('en')

/** Makes the refusal of a file with too many cues, or whose long cues have too many sentences. */
function refuseCueCount(found: number, what: 'cues' | 'sentences' = 'cues'): AppError {
  const message = `The caption file has ${inWords(found)} ${what}, and ${inWords(CAPTION_CUES_MAX)} are allowed.`
  return new AppError('captions_invalid', `${message} Divide it together with its video.`)
}

/** Finds the first cue with too much text; cues that begin at the same moment have been joined by then. */
function findLongCue(cues: readonly Cue[]): Cue | null {
  return cues.find(({ text }) => text.length > SEGMENT_MAX_CHARS) ?? null
}

/** Makes the refusal of a file with such a cue. */
function refuseLongCue({ startMs, text }: Cue): AppError {
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

/** Captions of which fewer end a sentence than this are not punctuated; joining them would be guessing. */
const PUNCTUATED_CUES_MIN = 0.2
/** A pause after which the next cue does not go on with the sentence. */
const CUE_PAUSE_MS = 1_500

/** A capital letter begins a sentence even where the point before it is missing; "I" is no sign of that. */
const NEW_SENTENCE = /^["'“‘(]*(?!I\b)\p{Lu}/u

function splitLongCue(cue: Cue): Cue[] {
  const lengthMs = cue.endMs - cue.startMs
  if (lengthMs <= SENTENCE_MAX_MS) return [cue]
  const sentences = cutAfterSentences(cue.text)
  const totalChars = sentences.reduce((sum, text) => sum + text.length, 0)
  let chars = 0
  const timeMs = () => cue.startMs + Math.round((lengthMs * chars) / totalChars)
  return sentences.map((text) => {
    const startMs = timeMs()
    chars += text.length
    return { startMs, endMs: timeMs(), text }
  })
}

function cutAfterSentences(text: string): string[] {
  const sentences: string[][] = [[]]
  for (const word of text.split(' ')) {
    sentences.at(-1)?.push(word)
    if (endsSentence(word)) sentences.push([])
  }
  return sentences.filter((words) => words.length > 0).map((words) => words.join(' '))
}

function goesOn(before: FormedSegment, next: Cue): boolean {
  return (
    next.startMs - before.endMs < CUE_PAUSE_MS &&
    next.endMs - before.startMs <= SENTENCE_MAX_MS &&
    before.text.length + next.text.length < SEGMENT_MAX_CHARS &&
    !endsSentence(before.text) &&
    !NEW_SENTENCE.test(next.text)
  )
}

/** Two megabytes of one-letter sentences would be hundreds of thousands of pieces, so those beyond the limit are only counted. */
function splitLongCues(cues: Cue[]): Cue[] {
  const pieces: Cue[] = []
  let found = 0
  for (const cue of cues) {
    const ofCue = splitLongCue(cue)
    found += ofCue.length
    if (found <= CAPTION_CUES_MAX) pieces.push(...ofCue)
  }
  if (found > CAPTION_CUES_MAX) throw refuseCueCount(found, 'sentences')
  return pieces
}

/**
 * Makes segments out of captions: cues that break a sentence are joined, up to 15 s; a longer cue with several
 * sentences is split, its time shared out by length. Captions without punctuation stay one segment per cue.
 * @throws {AppError} captions_invalid when the cues have too many sentences
 */
export function segmentsFromCues(cues: Cue[]): FormedSegment[] {
  const pieces = splitLongCues(cues)
  const ends = pieces.filter((cue) => endsSentence(cue.text)).length
  const isPunctuatedFile = ends >= pieces.length * PUNCTUATED_CUES_MIN
  const segments: FormedSegment[] = []
  for (const cue of pieces) {
    const before = segments.at(-1)
    if (before === undefined || !isPunctuatedFile || !goesOn(before, cue)) {
      segments.push({ ...cue, confidence: null })
      continue
    }
    before.endMs = cue.endMs
    before.text = joinWords([before.text, cue.text])
  }
  return segments
}
