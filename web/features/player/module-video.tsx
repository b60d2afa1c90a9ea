import type { Ref } from 'react'
import type { PlayerHandle, PlayerProps } from './player-handle.ts'
import { useEarlyHandle } from './use-early-handle.ts'
import { useVideoSource } from './use-video-source.ts'
import { PlayerFrame, PlayerLoading, VideoPlayer } from './video-player.tsx'
import { VideoUnavailable } from './video-unavailable.tsx'

interface ModuleVideoProps {
  /** Call that answers with the address of the video. */
  urlPath: string
  title: string
  startAtS?: number
  captionsUrl?: string | undefined
  poster?: string | undefined
  ref?: Ref<PlayerHandle> | undefined
  onTimeChange?: PlayerProps['onTimeChange']
  onPlayback?: PlayerProps['onPlayback']
}

/** The video of a module: finds its address, plays it, and says so when it cannot. */
export function ModuleVideo({ ref, urlPath, onTimeChange, startAtS = 0, ...player }: ModuleVideoProps) {
  const source = useVideoSource(urlPath, startAtS)
  const playerRef = useEarlyHandle({ ref, startAtS, onTimeChange })
  if (source.problem !== null) {
    return (
      <PlayerFrame>
        <VideoUnavailable reason={source.problem} onRetry={source.retry} />
      </PlayerFrame>
    )
  }
  if (source.src === undefined) {
    return (
      <PlayerFrame>
        <PlayerLoading />
      </PlayerFrame>
    )
  }
  return (
    <VideoPlayer
      {...player}
      ref={playerRef}
      src={source.src}
      revision={source.revision}
      startAtS={source.resumeAtS}
      onError={source.onPlaybackError}
      onTimeChange={(seconds) => {
        source.onPlaybackTime(seconds)
        onTimeChange?.(seconds)
      }}
    />
  )
}
