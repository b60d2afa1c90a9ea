import { RefreshCw, VideoOff } from 'lucide-react'
import type { Ref } from 'react'
import type { PlayerHandle } from './player-handle.ts'
import { useEarlyHandle } from './use-early-handle.ts'
import { useVideoSource } from './use-video-source.ts'
import { PlayerFrame, PlayerLoading, VideoPlayer } from './video-player.tsx'

interface ModuleVideoProps {
  /** Call that answers with the address of the video. */
  urlPath: string
  title: string
  startAtS?: number
  captionsUrl?: string | undefined
  poster?: string | undefined
  ref?: Ref<PlayerHandle> | undefined
  onTimeChange?: ((seconds: number) => void) | undefined
}

function VideoUnavailable({ reason, onRetry }: { reason: string; onRetry: () => void }) {
  return (
    <div role="alert" className="absolute inset-0 grid place-content-center gap-3 p-6 text-center">
      <VideoOff aria-hidden="true" className="mx-auto size-8 text-on-screen-soft" strokeWidth={1.5} />
      <div>
        <p className="font-semibold">Video Unavailable</p>
        <p className="mt-1 text-sm text-on-screen-soft">{reason}</p>
      </div>
      <button
        type="button"
        onClick={onRetry}
        className="mx-auto inline-flex h-10 items-center gap-2 rounded-control bg-on-screen/15 px-4 text-sm font-medium hover:bg-on-screen/25"
      >
        <RefreshCw aria-hidden="true" className="size-4" />
        Try again
      </button>
    </div>
  )
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
