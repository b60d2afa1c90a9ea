import { useQuery } from '@tanstack/react-query'
import { type Ref, useImperativeHandle, useRef } from 'react'
import { z } from 'zod'
import { VIDEO_RENEW_MS } from '#contract/limits.ts'
import { VideoUrlAnswer } from '#contract/module.ts'
import { type CallApi, useApi } from '#web/lib/api.ts'
import { ApiError } from '#web/lib/api-error.ts'
import type { PlayerHandle, PlayerProps } from './player-handle.ts'
import {
  type PlaybackRecovery,
  PlayerFrame,
  PlayerLoading,
  usePlaybackRecovery,
  VideoPlayer,
  VideoUnavailable,
} from './video-player.tsx'

interface ModuleVideoProps extends Omit<PlayerProps, 'src' | 'revision' | 'onError'> {
  /** Call that answers with the address of the video. */
  urlPath: string
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

const ANSWER = VideoUrlAnswer.extend({ url: z.string().nullish() })

async function loadVideoUrl(callApi: CallApi, path: string, signal: AbortSignal): Promise<string> {
  const { url } = await callApi({ path, schema: ANSWER, signal })
  if (!url) throw new ApiError({ status: 200, code: 'bad_answer', message: 'No URL returned from server' })
  return url
}

export interface VideoSource extends Omit<PlaybackRecovery, 'isBroken'> {
  src: string | undefined
  /** Changes with every address that was fetched, also when it is the same text. */
  revision: number
  /** Why there is nothing to play; null while there is hope. */
  problem: string | null
}

/**
 * Where the video can be played from. Playback errors fetch a new address, at most twice in a row; the right to the address
 * is renewed beside that, and the address stays, so that the video plays on.
 */
function useVideoSource(path: string, startAtS: number): VideoSource {
  const callApi = useApi()
  const query = useQuery({
    queryKey: ['video-url', path],
    queryFn: ({ signal }) => loadVideoUrl(callApi, path, signal),
    staleTime: Number.POSITIVE_INFINITY,
  })
  useRenewal(path, query.isSuccess)
  const { isBroken, ...recovery } = usePlaybackRecovery(startAtS, () => void query.refetch())
  return {
    ...recovery,
    src: query.data,
    revision: query.dataUpdatedAt,
    problem: isBroken ? 'The video could not be played.' : (query.error?.message ?? null),
  }
}

/** Asks again for what is shown: the answer brings a new ticket that the browser keeps and sends with the same address. */
function useRenewal(path: string, enabled: boolean): void {
  const callApi = useApi()
  useQuery({
    queryKey: ['video-renewal', path],
    queryFn: ({ signal }) => loadVideoUrl(callApi, path, signal),
    enabled,
    // The first ticket came with the address.
    initialData: '',
    staleTime: VIDEO_RENEW_MS,
    refetchInterval: VIDEO_RENEW_MS,
    refetchIntervalInBackground: true,
  })
}

interface EarlyHandleOptions {
  ref: Ref<PlayerHandle> | undefined
  startAtS: number
  onTimeChange: ((seconds: number) => void) | undefined
}

/**
 * Lets a page ask for a moment of the video before the player is there: its address and its code take a while on a slow
 * connection, and the steps beside it can be pressed already. The last request is carried out when the player loads.
 * @returns the ref for the player
 */
function useEarlyHandle({ ref, startAtS, onTimeChange }: EarlyHandleOptions) {
  const player = useRef<PlayerHandle | null>(null)
  const wanted = useRef<{ seconds: number | null; isPlaying: boolean }>({ seconds: null, isPlaying: false })

  useImperativeHandle(ref, () => ({
    seekTo(seconds) {
      if (player.current !== null) return player.current.seekTo(seconds)
      wanted.current.seconds = seconds
      onTimeChange?.(seconds)
    },
    play() {
      if (player.current === null) wanted.current.isPlaying = true
      else player.current.play()
    },
    playRange(startS, endS) {
      if (player.current !== null) return player.current.playRange(startS, endS)
      wanted.current = { seconds: startS, isPlaying: true }
      onTimeChange?.(startS)
    },
    drawFrame: async (maxWidthPx) => (await player.current?.drawFrame(maxWidthPx)) ?? null,
    pause() {
      wanted.current.isPlaying = false
      player.current?.pause()
    },
    changeRate: (way) => player.current?.changeRate(way),
    get currentTime() {
      return player.current?.currentTime ?? wanted.current.seconds ?? startAtS
    },
    get isPlaying() {
      return player.current?.isPlaying ?? wanted.current.isPlaying
    },
  }))

  return (handle: PlayerHandle | null) => {
    player.current = handle
    if (handle === null) return
    const { seconds, isPlaying } = wanted.current
    wanted.current = { seconds: null, isPlaying: false }
    if (seconds !== null) handle.seekTo(seconds)
    if (isPlaying) handle.play()
  }
}
