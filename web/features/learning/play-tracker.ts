import { PLAYBACK_RATE_MAX } from '#contract/limits.ts'
import { type Segment } from './kept-session.ts'

/** A video in picture-in-picture is visible while its tab is hidden. */
export function isWatched(): boolean {
  return document.visibilityState === 'visible' || Boolean(document.pictureInPictureElement)
}

/** What has happened to a video, as players report it. A seek reports its target. */
export interface PlaybackEvent {
  kind: 'time' | 'play' | 'pause' | 'seek' | 'end'
  seconds: number
  isPlaying: boolean
}

/** A time is reported at most this much late or early. */
const SLACK_S = 0.5
/** A playing video reports its time four times a second; after a longer silence it is unknown what was played. */
const SILENCE_MAX_S = 5

interface Piece {
  from: number
  to: number
  atMs: number
}

/** Measures what was really played: no seeks, no pauses, no hidden tab, and no more than the clock allows. */
export class PlayTracker {
  #open: Piece | null = null
  #played: Segment[] = []

  /**
   * @param atMs of a clock that is never set back
   * @param isWatched whether the video can be seen
   */
  note({ kind, seconds, isPlaying }: PlaybackEvent, { atMs, isWatched }: { atMs: number; isWatched: boolean }): void {
    if (kind !== 'seek' && isWatched) this.#grow(seconds, atMs)
    const goesOn = isPlaying && isWatched && kind !== 'end'
    if (!goesOn || kind === 'seek') this.rest()
    if (goesOn) this.#open ??= { from: seconds, to: seconds, atMs }
  }

  /** Ends what is being played: the video is out of sight. */
  rest(): void {
    if (this.#open !== null) this.#keep(this.#open)
    this.#open = null
  }

  /** Returns what was played since the last call, in order. */
  take(): Segment[] {
    if (this.#open !== null) {
      this.#keep(this.#open)
      this.#open.from = this.#open.to
    }
    const played = this.#played
    this.#played = []
    return played
  }

  /** A jump without a seek event begins a new piece. */
  #grow(seconds: number, atMs: number): void {
    const piece = this.#open
    if (piece === null) return
    const passedS = (atMs - piece.atMs) / 1000
    const isPlayed =
      seconds >= piece.to && passedS <= SILENCE_MAX_S && seconds - piece.to <= passedS * PLAYBACK_RATE_MAX + SLACK_S
    if (!isPlayed) return this.rest()
    piece.to = seconds
    piece.atMs = atMs
  }

  #keep({ from, to }: Piece): void {
    if (to > from) this.#played.push([from, to])
  }
}
