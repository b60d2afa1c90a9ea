import type { ReactNode, Ref } from 'react'
import type { AudioTrack } from '#contract/module.ts'
import type { SmallCopy } from '#contract/small-copy.ts'
import type { Cuts } from '#contract/time/visible-time.ts'
import type { PlayerStep } from './player-step.ts'

/** What the rest of a page may do to the video. Seconds throughout. */
export interface PlayerHandle {
  /** Also works before the video is loaded: the position is kept and applied as soon as it is. */
  seekTo(seconds: number): void
  play(): void
  pause(): void
  /** Plays from one moment to another and stops there, unless the viewer seeks or pauses before. */
  playRange(startS: number, endS: number): void
  /** To the next speed in that direction; stays at the ends. */
  changeRate(way: 'slower' | 'faster'): void
  readonly currentTime: number
  readonly isPlaying: boolean
  /** To draw what it shows; null before it is loaded. */
  readonly video: HTMLVideoElement | null
}

/** What has happened to a video, for progress tracking. A seek reports its target. */
export interface PlaybackEvent {
  kind: 'time' | 'play' | 'pause' | 'seek' | 'end'
  seconds: number
  isPlaying: boolean
}

export type PageKeys = readonly (readonly [keys: string, does: string])[]

export interface PlayerProps {
  ref?: Ref<PlayerHandle> | undefined
  src: string
  /** Names the player for screen readers. */
  title: string
  /** Grows when the same address must be loaded again; the position is kept. */
  revision?: number
  poster?: string | undefined
  /** As `Module.videoCodec`. */
  videoCodec?: string | null | undefined
  /** What plays on slow lines; its address is `smallVideoPath` of `src`. */
  smallCopy?: SmallCopy | null | undefined
  /** What else the viewer can set in the menu. */
  settings?: ReactNode
  /** As `ModuleAnswer` has them. */
  audioTracks?: readonly AudioTrack[] | undefined
  captionsUrl?: string | undefined
  /** BCP 47 */
  captionsLanguage?: string | undefined
  startAtS?: number | undefined
  /** The viewer has not asked for that beginning, but was there the last time. */
  isResumed?: boolean | undefined
  /** What the place where the video is left is kept as; kept nowhere without. */
  keepAs?: string | undefined
  /** The steps of the video, in order. The same list for as long as they are the same. */
  steps?: readonly PlayerStep[] | undefined
  /** What of the video is left out. The same list for as long as it is the same. */
  cuts?: Cuts | undefined
  /** Keys of the rest of the page, and what they do, for the list of keys. */
  pageKeys?: PageKeys | undefined
  /** Address of the page for links to a moment. */
  link?: string | undefined
  onTimeChange?: ((seconds: number) => void) | undefined
  onPlayback?: ((event: PlaybackEvent) => void) | undefined
  /** With the code of `MediaError`: 1 aborted, 2 network, 3 decode, 4 not supported. */
  onError?: ((code: number) => void) | undefined
}
