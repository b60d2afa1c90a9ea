/** Frames in a second, where a file does not say: of its frame numbers the largest tells most. */
const FRAME_RATES = [25, 30, 50, 60] as const
/** Some tools round up to 60 instead of carrying over. */
const SIXTY = 60

/** What a line with times says; null for a time that was meant and cannot be read, or is missing. */
export interface TimeRange {
  startMs: number | null
  endMs: number | null
  /** Text on the same line; empty for cue settings. */
  rest: string
  /** Whether it is written in another way than WebVTT and SRT ask for. */
  isOdd: boolean
  /** Whether a time is given in frames. */
  hasFrames: boolean
}

const TIME = String.raw`(-?) ?(?:(\d{1,3}) ?: ?)?(\d{1,3}) ?: ?(\d{1,2})(?: ?([.,;:]) ?(\d{1,9}))?`
const WHOLE_TIME = new RegExp(`^${TIME}$`)
/** Before another time: a comma in front of that is no fraction. */
const FIRST_TIME = new RegExp(String.raw`^${TIME}(?![\d:])`)
const LAST_TIME = new RegExp(String.raw`^${TIME}(?!\d)(.*)$`)
const ARROW = /[-–—−=]{1,3} ?(?:[>›»]{1,2}|&gt;)|[→⟶➔➜⇒]/
/** Without an arrow: YouTube's .sbv has a comma, Premiere and DaVinci a dash, the latter in square brackets. */
const PLAIN_SIGN = /^ ?[,\-–—] ?|^ /
const COLON = /[:;：﹕∶；]/
const SETTINGS = /^(?:\s*[A-Za-z]\w*:\S*)(?:\s+[A-Za-z]\w*:\S*)*\s*$/
const USUAL_RANGE = /^[\d:]{4,12}(?:[.,]\d{1,9})? ?--> ?[\d:]{4,12}(?:[.,]\d{1,9})?(?: |\t|$)/
/** Has a digit and a sign of a time, and no word. */
const MEANT_AS_TIME = /^(?=[^:;.,]{0,20}[:;.,])(?=[^\d]{0,20}\d)(?!.*\p{L}{3}).{1,20}$/u
/** A text line this long is no caption; checking its form would only cost time. */
const TIME_LINE_MAX_CHARS = 500

/** The first digits of scripts in which captions have their times, and of full-width ones. */
const ZEROS = [0x06_60, 0x06_f0, 0x09_66, 0x09_e6, 0x0e_50, 0xff_10]
const ODD_DIGIT = /[٠-٩۰-۹०-९০-৯๐-๙０-９]/g
const ODD_SIGN = /[：﹕∶．。，、；٫٬]/g
const SIGNS: Record<string, string> = { '：': ':', '﹕': ':', '∶': ':', '；': ';', '，': ',', '、': ',', '٬': ',' }
/** Two semicolons at least: drop-frame time code. */
const DROP_FRAME = /\d;(?=\d{2};\d{2}[;:]\d{2})|(?<=\d;\d{2});(?=\d)/g
const FRAMES = /\d{1,2}[:;]\d{2}[:;]\d{2}[:;](\d{2})(?!\d)/g

/** Writes digits and signs of other scripts as those of times in English, with one blank between them at most. */
function toAsciiTimes(line: string): string {
  return line
    .replace(ODD_DIGIT, (digit) => {
      const code = digit.codePointAt(0) ?? 0
      return String(code - (ZEROS.findLast((zero) => zero <= code) ?? code))
    })
    .replace(ODD_SIGN, (sign) => SIGNS[sign] ?? '.')
    .replace(DROP_FRAME, (found) => found.replace(';', ':'))
    .replace(/[\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/g, '')
    .replace(/[ \t\u00a0\u2007\u202f\u3000]+/g, ' ')
    .trim()
}

/** Finds how many frames a second has, by the largest number of a frame in the file. */
export function findFrameRate(text: string): number {
  let largest = 0
  for (const [, frame] of text.matchAll(FRAMES)) largest = Math.max(largest, Number(frame))
  return FRAME_RATES.find((rate) => largest < rate) ?? 100
}

/** A time that stands alone, in the forms of all the formats; null for anything else. @param frameRate for `00:00:04:12` */
export function readTime(text: string, frameRate: number): number | null {
  const match = WHOLE_TIME.exec(toAsciiTimes(text))
  return match === null ? null : toMs(match.slice(1, 7), frameRate)
}

function toMs(chunks: (string | undefined)[], frameRate: number): number {
  const [sign, hours, minutes, seconds, separator, fraction = ''] = chunks
  const wholeS = Number(hours ?? 0) * 3600 + Number(minutes) * 60 + Number(seconds)
  const isFrames = separator === ':' && fraction.length <= 2
  const partMs = isFrames
    ? Math.round((Number(fraction) * 1000) / frameRate)
    : separator === ':'
      ? Number(fraction.slice(0, 3).padEnd(3, '0'))
      : Math.round(Number(`0.${fraction || '0'}`) * 1000)
  return (wholeS * 1000 + partMs) * (sign === '-' ? -1 : 1)
}

function isOverSixty([, hours, minutes, seconds]: (string | undefined)[]): boolean {
  return Number(seconds) > SIXTY || (hours !== undefined && Number(minutes) > SIXTY)
}

/** Whether a cue may open at a line: text follows a cue's text, and a range without an arrow is only times elsewhere. */
export interface LinePlace {
  isBlockStart: boolean
  frameRate: number
}

/** Reads a line with the times of a cue, however they are written; null for a line of text. */
export function readTimeRange(line: string, { isBlockStart, frameRate }: LinePlace): TimeRange | null {
  if (line.length > TIME_LINE_MAX_CHARS || !COLON.test(line) || !/[\d٠-٩۰-۹०-९০-৯๐-๙０-９]/.test(line)) return null
  const plain = toAsciiTimes(line)
  const whole = readArrowRange(plain, line, frameRate) ?? (isBlockStart ? readPlainRange(plain, frameRate) : null)
  return whole ?? readBrokenRange(plain, frameRate)
}

function readArrowRange(plain: string, line: string, frameRate: number): TimeRange | null {
  // whisper.cpp writes `[00:00:00.000 --> 00:00:04.500]   text`.
  const isOpened = plain.startsWith('[')
  const sides = splitAtArrow(isOpened ? plain.slice(1) : plain)
  const start = sides && WHOLE_TIME.exec(sides[0])?.slice(1)
  const [, ...end] = (sides && LAST_TIME.exec(sides[1])) ?? []
  if (!start || end.length === 0) return null
  const behind = end[6] ?? ''
  const rest = isOpened && behind.startsWith(']') ? behind.slice(1) : behind
  const isUsual = USUAL_RANGE.test(line) && !isOverSixty(start) && !isOverSixty(end)
  return toRange({ start, end, rest, isOdd: !isUsual }, frameRate)
}

function splitAtArrow(plain: string): [string, string] | null {
  const arrow = ARROW.exec(plain)
  return arrow && [plain.slice(0, arrow.index).trim(), plain.slice(arrow.index + arrow[0].length).trim()]
}

function readPlainRange(plain: string, frameRate: number): TimeRange | null {
  const isOpened = plain.startsWith('[')
  const times = plain.slice(isOpened ? 1 : 0).trim()
  const first = FIRST_TIME.exec(times)
  if (first === null) return null
  const behind = times.slice(first[0].length)
  const sign = PLAIN_SIGN.exec(behind)
  const last = sign && LAST_TIME.exec(behind.slice(sign[0].length))
  if (!last) return null
  const [start, end] = [first.slice(1), last.slice(1)]
  const behindTimes = last[7] ?? ''
  const isClosed = behindTimes.startsWith(']')
  const rest = isClosed ? behindTimes.slice(1) : behindTimes
  // A time of the day is said with text around it.
  if (isOpened !== isClosed || (!isOpened && rest.trim() !== '')) return null
  const isSbv = /^\d+:\d\d:\d\d\.\d{3},\d+:\d\d:\d\d\.\d{3}$/.test(plain)
  return toRange({ start, end, rest, isOdd: !isSbv && !isOpened }, frameRate)
}

interface RangeChunks {
  start: (string | undefined)[]
  end: (string | undefined)[]
  rest: string
  isOdd: boolean
}

function toRange({ start, end, rest, isOdd }: RangeChunks, frameRate: number): TimeRange {
  const hasFrames = [start, end].some((chunks) => chunks[4] === ':' && (chunks[5] ?? '').length <= 2)
  const text = SETTINGS.test(rest) ? '' : rest.trim()
  return { startMs: toMs(start, frameRate), endMs: toMs(end, frameRate), rest: text, isOdd, hasFrames }
}

/** A line with an arrow of which one side is a time, and the other was meant as one or is missing. */
function readBrokenRange(plain: string, frameRate: number): TimeRange | null {
  const sides = splitAtArrow(plain)
  if (sides === null) return null
  const [startMs, endMs] = [readTime(sides[0], frameRate), readTime(sides[1], frameRate)]
  const isMeant = sides.every((side, at) => MEANT_AS_TIME.test(side) || (at === 1 && side === ''))
  if (!isMeant || (startMs === null && !/\d:|:\d/.test(sides[0]))) return null
  return { startMs, endMs, rest: '', isOdd: true, hasFrames: false }
}
