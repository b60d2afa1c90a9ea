/** A caption, or a line of speech. Milliseconds, from the beginning of a video. */
export interface TimedText {
  startMs: number
  endMs: number
  text: string
}

/** How the times of captions become those of the video: `ms * rate + offsetMs`. */
export interface CaptionMove {
  rate: number
  offsetMs: number
}

/** Moves one time. */
export function moveTime(ms: number, { rate, offsetMs }: CaptionMove): number {
  return Math.round(ms * rate + offsetMs)
}

/** Moves captions. What would end before the video begins is left out. */
export function moveCues<Timed extends TimedText>(cues: readonly Timed[], move: CaptionMove): Timed[] {
  return cues
    .map((cue) => ({
      ...cue,
      startMs: Math.max(0, moveTime(cue.startMs, move)),
      endMs: moveTime(cue.endMs, move),
    }))
    .filter(({ startMs, endMs }) => endMs > startMs)
}
