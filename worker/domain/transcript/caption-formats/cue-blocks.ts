import { type CaptionFile, type RawCue } from './raw-cue.ts'
import { findFrameRate, readTime, readTimeRange, type TimeRange } from './read-times.ts'

// A parser of our own: media-captions refuses `00:0:05` and a comma in WebVTT, and names no line for a bad SRT cue.

const CUE_NUMBER = /^\d{1,9}$/
const HEADER = /^WEBVTT(?:$|[\s-])/i
const SKIPPED_BLOCK = /^(?:(?:NOTE|STYLE|REGION)(?:$|[ \t])|X-TIMESTAMP-MAP=)/
const SKIPPED_WITH_COLON = /^(?:NOTE|STYLE|REGION):/
const STYLE_RULE = /^::cue/
/** `[INFORMATION]`, `[TITLE]…`: what stands in front of the cues of SubViewer. */
const SUB_VIEWER_FIELD =
  /^\[(?:(?:END )?INFORMATION|TITLE|AUTHOR|SOURCE|PRG|FILEPATH|DELAY|CD TRACK|COMMENT|SUBTITLE|COLF)\]/
const REGION_ID = /^id:/i
/** `MPEGTS` counts 90,000 in a second. */
const TIMESTAMP_MAP = /^X-TIMESTAMP-MAP=(?=.{0,80}MPEGTS:(\d{1,12}))(?=.{0,80}LOCAL:([\d:.]{5,20}))/i
const MPEG_TICKS_PER_MS = 90
/** Numbers that stand one below the other before the times. */
const NUMBERS_AHEAD_MAX = 6

/** Reads a file line by line; a cue stays open until the next one begins, since some have blank lines inside. */
class CueReader {
  readonly cues: RawCue[] = []
  readonly #file: CaptionFile
  readonly #frameRate: number
  #isVtt = false
  #lineIndex = 0
  #isBlockStart = true
  /** Of the segment of a stream: how much later its times are than those of the first. */
  #shiftMs = 0
  #firstMapMs: number | null = null

  constructor(file: CaptionFile) {
    this.#file = file
    this.#frameRate = findFrameRate(file.text)
  }

  readAll(): RawCue[] {
    for (const { lines } = this.#file; this.#lineIndex < lines.length; ) {
      const line = this.#line(0)
      if (line === '') {
        this.#isBlockStart = true
        this.#lineIndex += 1
      } else if (this.#isHeader(line)) {
        this.#isVtt = true
        this.#skipBlock()
      } else if (this.#isSkipped(line)) {
        this.#skipBlock()
      } else if (this.cues.length === 0 && SUB_VIEWER_FIELD.test(line)) {
        this.#isBlockStart = true
        this.#lineIndex += 1
      } else {
        this.#readLine(line)
        this.#isBlockStart = false
      }
    }
    return this.cues
  }

  #line(offset: number): string {
    return this.#file.lines[this.#lineIndex + offset] ?? ''
  }

  #range(offset: number, isBlockStart: boolean): TimeRange | null {
    return readTimeRange(this.#line(offset), { isBlockStart, frameRate: this.#frameRate })
  }

  /** Segments of a stream that were put together have a header each. */
  #isHeader(line: string): boolean {
    return this.#isBlockStart && HEADER.test(line) && (this.cues.length === 0 || line.startsWith('WEBVTT'))
  }

  #isSkipped(line: string): boolean {
    if (this.#isBlockStart) {
      const hasText = this.cues.at(-1)?.lines.some((each) => each !== '') ?? true
      return hasText && (SKIPPED_BLOCK.test(line) || (this.#isVtt && SKIPPED_WITH_COLON.test(line)))
    }
    const next = this.#line(1)
    return (line === 'STYLE' && STYLE_RULE.test(next)) || (line === 'REGION' && REGION_ID.test(next))
  }

  #skipBlock(): void {
    do {
      this.#readTimestampMap(this.#line(0))
      this.#lineIndex += 1
    } while (
      this.#lineIndex < this.#file.lines.length &&
      this.#line(0) !== '' &&
      !HEADER.test(this.#line(0)) &&
      this.#range(0, false) === null
    )
    this.#isBlockStart = true
  }

  #readTimestampMap(line: string): void {
    const match = TIMESTAMP_MAP.exec(line)
    const localMs = readTime(match?.[2] ?? '', this.#frameRate)
    if (match === null || localMs === null) return
    const mapMs = Number(match[1]) / MPEG_TICKS_PER_MS - localMs
    this.#firstMapMs ??= mapMs
    this.#shiftMs = Math.max(0, Math.round(mapMs - this.#firstMapMs))
  }

  #readLine(line: string): void {
    if (this.#openCue(this.#isBlockStart || this.#isAfterNumber())) return
    if (CUE_NUMBER.test(line) && this.#isCueNumber(line)) {
      this.#lineIndex += 1
      return
    }
    const isId = this.#isBlockStart && this.#range(1, false) !== null
    if (!isId) this.#addText(line)
    this.#lineIndex += 1
  }

  #isAfterNumber(): boolean {
    return CUE_NUMBER.test(this.#line(-1))
  }

  #openCue(isBlockStart: boolean): boolean {
    const range = this.#range(0, isBlockStart) ?? (isBlockStart ? this.#startAlone() : null)
    if (range === null) return false
    if (range.isOdd) this.#file.log.note(this.#lineIndex, 'odd_time')
    if (range.hasFrames) this.#file.log.note(this.#lineIndex, 'frame_rate')
    const shifted = (ms: number | null) => (ms === null ? null : ms + this.#shiftMs)
    this.#push(shifted(range.startMs), shifted(range.endMs), range.rest)
    this.#lineIndex += 1
    return true
  }

  /** Below the number of a cue a time alone is its start. */
  #startAlone(): TimeRange | null {
    if (Number(this.#line(-1)) !== this.cues.length + 1) return null
    const startMs = readTime(this.#line(0), this.#frameRate)
    return startMs === null ? null : { startMs, endMs: null, rest: '', isOdd: true, hasFrames: false }
  }

  #push(startMs: number | null, endMs: number | null, text: string): void {
    this.cues.push({ lineIndex: this.#lineIndex, startMs, endMs, lines: text === '' ? [] : [text] })
  }

  #isCueNumber(line: string): boolean {
    const isNext = Number(line) === this.cues.length + 1
    const isFirstText = !this.#isBlockStart && this.cues.at(-1)?.lines.length === 0
    if (this.#range(1, true) !== null || this.#isStartAlone(isNext)) return isNext || !isFirstText
    const hasRangeAhead = this.#hasRangeAhead()
    if (hasRangeAhead && (this.#isBlockStart || (isNext && !isFirstText))) return true
    if (!this.#isBlockStart) return false
    if (this.#isAtEnd()) return true
    if (!isNext || this.#line(1) === '') return false
    // The number that comes next, and text below it: a cue whose times are missing, or are none.
    this.#lineIndex += 1
    this.#push(null, null, this.#line(0).includes('-->') ? '' : this.#line(0))
    return true
  }

  #isStartAlone(isNext: boolean): boolean {
    return isNext && readTime(this.#line(1), this.#frameRate) !== null
  }

  /** Whether only numbers and blank lines stand between here and the next times. */
  #hasRangeAhead(): boolean {
    for (let ahead = 1; ahead <= NUMBERS_AHEAD_MAX; ahead += 1) {
      const line = this.#line(ahead)
      if (line !== '' && !CUE_NUMBER.test(line)) return this.#range(ahead, true) !== null
    }
    return false
  }

  #isAtEnd(): boolean {
    return this.#file.lines
      .slice(this.#lineIndex + 1, this.#lineIndex + 1 + NUMBERS_AHEAD_MAX)
      .every((line) => line === '')
  }

  #addText(line: string): void {
    const cue = this.cues.at(-1)
    if (cue === undefined) this.#file.log.note(this.#lineIndex, 'left_out')
    else cue.lines.push(line)
  }
}

/**
 * Reads what has cues in blocks of times and text: WebVTT, SRT, YouTube's .sbv and the text exports of Premiere and
 * DaVinci, as untidy as they come.
 */
export function readCueBlocks(file: CaptionFile): RawCue[] {
  return new CueReader(file).readAll()
}
