import type { RepairLog } from './repair-log.ts'

/** A cue as its format has it: nothing is cleaned, and a time that cannot be read is null. */
export interface RawCue {
  /** Of its times in the file, counted from 0. */
  lineIndex: number
  startMs: number | null
  endMs: number | null
  lines: string[]
  /** Who says it, where the format has a place for that. */
  speaker?: string | undefined
}

/** What a reader of a format gets. */
export interface CaptionFile {
  text: string
  /** Its lines without the blanks around them. */
  lines: string[]
  log: RepairLog
}

/** Cuts a text into lines, whatever ends them. */
export function splitLines(text: string): string[] {
  return text.split(/\r{0,2}\n|[\r\u0085\u2028\u2029\v\f]/).map((line) => line.trim())
}

/** Finds the line of a place in a text. Places come in order, so that a long text is read once. */
export function openLineCounter(text: string): (at: number) => number {
  let seen = 0
  let lineIndex = 0
  return (at) => {
    for (; seen < at; seen += 1) if (text.charCodeAt(seen) === 10) lineIndex += 1
    return lineIndex
  }
}
