import { useQuery } from '@tanstack/react-query'
import { z } from 'zod'
import { VIDEO_RENEW_MS } from '#contract/limits.ts'
import { VideoUrlAnswer } from '#contract/module.ts'
import * as m from '#messages'
import { type CallApi, useApi } from '#web/lib/api.ts'
import { ApiError } from '#web/lib/api-error.ts'
import { VideoUnavailable } from './frame-notice.tsx'
import type { PlayerProps } from './player-handle.ts'
import {
  PlayerFrame,
  PlayerLoading,
  useEarlyHandle,
  usePictureCheck,
  usePlaybackRecovery,
  VideoPlayer,
} from './video-player.tsx'

interface ModuleVideoProps extends Omit<PlayerProps, 'src' | 'revision' | 'onError'> {
  /** Call that answers with the address of the video. */
  urlPath: string
}

/**
 * The video of a module: finds its address, plays it, and says so when it cannot. Playback errors fetch a new address, at
 * most twice in a row; the right to the address is renewed beside that, and the address stays, so that the video plays on.
 */
export function ModuleVideo({
  ref,
  urlPath,
  onTimeChange,
  startAtS = 0,
  videoCodec = null,
  ...player
}: ModuleVideoProps) {
  const callApi = useApi()
  const query = useQuery({
    queryKey: ['video-url', urlPath],
    queryFn: ({ signal }) => loadVideoUrl(callApi, urlPath, signal),
    staleTime: Number.POSITIVE_INFINITY,
  })
  useRenewal(urlPath, query.isSuccess)
  const recovery = usePlaybackRecovery({ startAtS, onTimeChange, reload: () => void query.refetch() })
  const { takePlayer, play } = useEarlyHandle({ ref, startAtS, onTimeChange })
  const picture = usePictureCheck(videoCodec, player.smallCopy, play)
  if (picture.notice) return <PlayerFrame>{picture.notice}</PlayerFrame>
  const problem = recovery.problem ?? query.error?.message
  if (problem !== undefined || query.data === undefined) {
    return (
      <PlayerFrame>
        {problem === undefined ? <PlayerLoading /> : <VideoUnavailable reason={problem} onRetry={recovery.retry} />}
      </PlayerFrame>
    )
  }
  // The address may be the same text after it was fetched again.
  const source = { src: query.data, revision: query.dataUpdatedAt }
  // Audio alone is not watching.
  const uncounted = picture.isUnseen ? { onPlayback: undefined } : {}
  return (
    <VideoPlayer {...player} videoCodec={videoCodec} {...uncounted} {...recovery.stage} {...source} ref={takePlayer} />
  )
}

const ANSWER = VideoUrlAnswer.extend({ url: z.string().nullish() })

async function loadVideoUrl(callApi: CallApi, path: string, signal: AbortSignal): Promise<string> {
  const { url } = await callApi({ path, schema: ANSWER, signal })
  if (!url) throw new ApiError({ status: 200, code: 'bad_answer', message: m.no_url_returned_from_server() })
  return url
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
