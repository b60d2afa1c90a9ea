import { useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { z } from 'zod'
import { VIDEO_URL_REFRESH_MAX } from '#contract/limits.ts'
import { VideoUrlAnswer } from '#contract/module.ts'
import { ApiError } from '#web/lib/api.ts'
import { type CallApi, useApi } from '#web/lib/api-context.tsx'

/** `MediaError` codes that an expired address can cause: network, decode, source not supported. */
const REFRESHING_CODES: ReadonlySet<number> = new Set([2, 3, 4])
/** A video that plays on for this long has recovered, so the next expiry of a long session is refreshed again. */
const RECOVERED_AFTER_S = 10

const ANSWER = VideoUrlAnswer.extend({ url: z.string().nullish() })

async function loadVideoUrl(callApi: CallApi, path: string, signal: AbortSignal): Promise<string> {
  const { url } = await callApi({ path, schema: ANSWER, signal })
  if (!url) throw new ApiError({ status: 200, code: 'bad_answer', message: 'No URL returned from server' })
  return url
}

export interface VideoSource {
  src: string | undefined
  /** Changes with every address that was fetched, also when it is the same text. */
  revision: number
  /** Where to start: what was asked for, or where the last failure was. */
  resumeAtS: number
  /** Why there is nothing to play; null while there is hope. */
  problem: string | null
  onPlaybackError: (code: number) => void
  onPlaybackTime: (seconds: number) => void
  retry: () => void
}

/** Where the video can be played from. Playback errors fetch a new address, at most twice in a row. */
export function useVideoSource(path: string, startAtS: number): VideoSource {
  const callApi = useApi()
  const query = useQuery({
    queryKey: ['video-url', path],
    queryFn: ({ signal }) => loadVideoUrl(callApi, path, signal),
    staleTime: Number.POSITIVE_INFINITY,
  })
  const [isBroken, setIsBroken] = useState(false)
  const refreshes = useRef(0)
  const brokeAtS = useRef<number | null>(null)
  const lastS = useRef(startAtS)
  const [resumeAtS, setResumeAtS] = useState(startAtS)

  return {
    src: query.data,
    revision: query.dataUpdatedAt,
    resumeAtS,
    problem: isBroken ? 'The video could not be played.' : (query.error?.message ?? null),
    onPlaybackError(code) {
      if (!REFRESHING_CODES.has(code)) return
      setResumeAtS(lastS.current)
      if (refreshes.current >= VIDEO_URL_REFRESH_MAX) return setIsBroken(true)
      refreshes.current += 1
      brokeAtS.current = lastS.current
      void query.refetch()
    },
    onPlaybackTime(seconds) {
      lastS.current = seconds
      if (brokeAtS.current !== null && seconds > brokeAtS.current + RECOVERED_AFTER_S) {
        refreshes.current = 0
        brokeAtS.current = null
      }
    },
    retry() {
      refreshes.current = 0
      setIsBroken(false)
      void query.refetch()
    },
  }
}
