import type { VideoCommand } from './voice/read-command.ts'

/** The video beside the tutor. Seconds. */
export interface TutorVideo {
  /** Goes there and plays. */
  playFrom(seconds: number): void
  /** Pauses it while the learner speaks; `release` resumes it if it was playing. */
  hold(): void
  release(): void
  readonly isPlaying: boolean
  obey(command: VideoCommand): void
}
