import { PLAYBACK_RATE_MAX } from '#contract/limits.ts'

/** What has happened to a video, as players tell it. A seek tells where it goes. */
export interface PlaybackEvent {
  kind: 'time' | 'play' | 'pause' | 'seek' | 'end'
  seconds: number
  isPlaying: boolean
}

/** From where to where a video was played, seconds. */
export type Segment = [from: number, to: number]

/** A time is told this much late or early. */
const SLACK_S = 0.5
/** A playing video tells its time four times a second; over a longer silence nobody knows what was played. */
const SILENCE_MAX_S = 5

interface Piece {
  from: number
  to: number
  atMs: number
}

/** Finds out what was really played. Seeks, pauses and what nobody saw are not; neither is what the clock forbids. */
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

  /** What was played since this was last asked, in order. */
  take(): Segment[] {
    if (this.#open !== null) {
      this.#keep(this.#open)
      this.#open.from = this.#open.to
    }
    const played = this.#played
    this.#played = []
    return played
  }

  /** A jump that no seek was told of begins a new piece. */
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
