import type { StampedLine } from './clean-cue-text.ts'

/** One caption: what is shown between two moments. Milliseconds from the beginning of the video. */
export interface Cue {
  startMs: number
  endMs: number
  text: string
  /** Who says it, where the file names a speaker. */
  speaker?: string
  /** Whether it is known that somebody else has spoken before. */
  isTurn?: boolean
}

/** A cue as it stands in a file, its lines already cleaned. */
export interface CueLines extends Omit<Cue, 'text' | 'speaker' | 'isTurn'> {
  /** Of its times in the file, counted from 0. */
  lineIndex: number
  /** In them `markVoice` stands in front of what another speaker says. */
  lines: string[]
  /** When words inside a line are spoken, for each line that says so. */
  stamps?: ReadonlyMap<string, StampedLine['stamps']>
}
