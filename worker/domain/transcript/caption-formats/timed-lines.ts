import type { CaptionFile, RawCue } from './raw-cue.ts'
import { findFrameRate, readTime } from './read-times.ts'

/** `[00:12.34]` of lyrics files; more of them before a line that is sung again. */
const LINE_TIMES = /^(?:\[\d{1,3}:\d{2}(?:[.:]\d{1,3})?\]\s?){1,20}/
const LYRICS_TAG = /^\[[a-z]{2,8}:.*\]$/i
/** A time alone on its line, as transcripts are copied from a player or exported from an editor. */
const LONE_TIME = /^\[?\d{1,2}[:;]\d{2}(?:[:;]\d{2})?(?:[:;.,]\d{1,3})?\]?$/
/** `Ada Example  0:05` and `Ada Example (00:05):`, as Otter and Rev write them. */
const NAMED_TIME = /^(\p{Lu}[^\d:[\]()]{1,38}?(?:\s\d{1,3})?)(?:\s{1,8}|\s?[([])(\d{1,2}:\d{2}(?::\d{2})?)[)\]]?:?$/u
/** Fewer say nothing of a file. */
const TIMES_MIN = 2
/** With a name and two lines of text below each. */
const TIMES_SHARE_MIN = 1 / 4

const hasTimes = (line: string) => LONE_TIME.test(line) || LINE_TIMES.test(line)
const isNamedTime = (line: string) => NAMED_TIME.test(line)

/** A text may end with a time, so that names count only where all times have one. */
function hasNamedTimes(lines: readonly string[]): boolean {
  return lines.some(isNamedTime) && !lines.some(hasTimes)
}

/** Whether all times of a file stand alone on their lines, or before what is said. */
export function isTimedLines({ text, lines }: CaptionFile): boolean {
  if (/-->|^WEBVTT/i.test(text)) return false
  const filled = lines.filter((line) => line !== '')
  const count = filled.filter(hasNamedTimes(lines) ? isNamedTime : hasTimes).length
  return count >= TIMES_MIN && count >= filled.length * TIMES_SHARE_MIN
}

/** Reads such a file; each cue lasts until the next one. */
export function readTimedLines({ text, lines }: CaptionFile): RawCue[] {
  const cues: RawCue[] = []
  const frameRate = findFrameRate(text)
  const isNamed = hasNamedTimes(lines)
  for (const [lineIndex, line] of lines.entries()) {
    const [, speaker, named] = (isNamed ? NAMED_TIME.exec(line) : null) ?? []
    if (speaker !== undefined && named !== undefined) {
      cues.push({ lineIndex, startMs: readTime(named, frameRate), endMs: null, lines: [], speaker })
      continue
    }
    const times = LONE_TIME.test(line) ? line : (LINE_TIMES.exec(line)?.[0] ?? null)
    if (times === null) {
      if (!LYRICS_TAG.test(line)) cues.at(-1)?.lines.push(line)
      continue
    }
    const said = line === times ? [] : [line.slice(times.length)]
    for (const time of times.split(/[[\]\s]+/).filter((each) => each !== '')) {
      cues.push({ lineIndex, startMs: readTime(time, frameRate), endMs: null, lines: [...said] })
    }
  }
  return cues
}
