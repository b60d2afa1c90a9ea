import type { VideoCommand } from './voice/read-command.ts'

/** The video beside the tutor. Seconds. */
export interface TutorVideo {
  /** Goes there and plays. */
  playFrom(seconds: number): void
  /** Pauses it as long as somebody speaks; `release` goes on where it played before. */
  hold(): void
  release(): void
  readonly isPlaying: boolean
  obey(command: VideoCommand): void
}
