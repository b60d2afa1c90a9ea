import type { StampedLine } from './clean-cue-text.ts'

/** One caption: what is shown between two moments. Milliseconds from the beginning of the video. */
export interface Cue {
  startMs: number
  endMs: number
  text: string
}

/** A cue as it stands in a file, its lines already cleaned. */
export interface CueLines extends Omit<Cue, 'text'> {
  /** Of its times in the file, counted from 0. */
  lineIndex: number
  lines: string[]
  /** When words inside a line are spoken, for each line that says so. */
  stamps?: ReadonlyMap<string, StampedLine['stamps']>
}
