import { useQuery } from '@tanstack/react-query'
import { z } from 'zod'
import { VIDEO_RENEW_MS } from '#contract/limits.ts'
import { VideoUrlAnswer } from '#contract/module.ts'
import { type CallApi, useApi } from '#web/lib/api.ts'
import { ApiError } from '#web/lib/api-error.ts'
import type { PlayerProps } from './player-handle.ts'
import {
  type PlaybackRecovery,
  PlayerFrame,
  PlayerLoading,
  useEarlyHandle,
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
  const { takePlayer } = useEarlyHandle({ ref, startAtS, onTimeChange })
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
      ref={takePlayer}
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
