import type { CaptionFile, RawCue } from './raw-cue.ts'
import { findFrameRate, readTime } from './read-times.ts'

/** `[00:12.34]` of lyrics files; more of them before a line that is sung again. */
const LINE_TIMES = /^(?:\[\d{1,3}:\d{2}(?:[.:]\d{1,3})?\]\s?){1,20}/
const LYRICS_TAG = /^\[[a-z]{2,8}:.*\]$/i
/** A time alone on its line, as transcripts are copied from a player or exported from an editor. */
const LONE_TIME = /^\[?\d{1,2}[:;]\d{2}(?:[:;]\d{2})?(?:[:;.,]\d{1,3})?\]?$/
/** Fewer say nothing of a file. */
const TIMES_MIN = 2
/** With a name and two lines of text below each. */
const TIMES_SHARE_MIN = 1 / 4

/** Whether all times of a file stand alone on their lines, or before what is said. */
export function isTimedLines({ text, lines }: CaptionFile): boolean {
  if (/-->|^WEBVTT/i.test(text)) return false
  const filled = lines.filter((line) => line !== '')
  const count = filled.filter((line) => LONE_TIME.test(line) || LINE_TIMES.test(line)).length
  return count >= TIMES_MIN && count >= filled.length * TIMES_SHARE_MIN
}

/** Reads such a file; each cue lasts until the next one. */
export function readTimedLines({ text, lines }: CaptionFile): RawCue[] {
  const cues: RawCue[] = []
  const frameRate = findFrameRate(text)
  for (const [lineIndex, line] of lines.entries()) {
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
