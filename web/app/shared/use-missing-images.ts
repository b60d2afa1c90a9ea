import { useQueryClient } from '@tanstack/react-query'
import { type RefObject, useEffect, useRef } from 'react'
import { toast } from 'sonner'
import { VideoUrlAnswer } from '#contract/module.ts'
import type { Step } from '#contract/step.ts'
import * as m from '#messages'
import type { PlayerHandle } from '#web/features/player/player-handle.ts'
import { stepsQuery } from '#web/features/step/steps-query.ts'
import { MissingImages } from '#web/features/training/missing-images.ts'
import type { LoadedModule } from '#web/features/training/module-query.ts'
import { useApi } from '#web/lib/api.ts'
import { sparesData } from '#web/lib/connection.ts'
import { showKeptImage } from '#web/lib/keep-images.ts'
import { openImageMaker } from '#web/lib/step-images.ts'

/** Makes the missing images of a module while the page of who edits it is open; the poster is its owner's to make. */
export function useMissingImages(
  module: LoadedModule,
  steps: readonly Step[],
  player: RefObject<PlayerHandle | null>,
): void {
  const callApi = useApi()
  const queryClient = useQueryClient()
  const { id, role, status, hasVideo, videoId, totalDuration, posterUrl } = module
  const mayMake = role === 'owner' || (role === 'editor' && posterUrl !== null)
  const isMade = mayMake && status === 'READY' && hasVideo && !sparesData()
  const maker = useRef<MissingImages>(null)
  useEffect(() => {
    if (!isMade) return
    const stop = new AbortController()
    const { signal } = stop
    maker.current = new MissingImages({
      callApi,
      videoId,
      async open() {
        const path = `/api/video-url/module/${encodeURIComponent(id)}`
        // The player has loaded the address already, unless the browser cannot play the video.
        const cachedUrl = queryClient.getQueryData<string>(['video-url', path])
        return openImageMaker(cachedUrl ?? (await callApi({ path, schema: VideoUrlAnswer, signal })).url, signal)
      },
      refresh: () => queryClient.invalidateQueries({ queryKey: stepsQuery(callApi, id).queryKey }),
      isPlaying: () => player.current?.isPlaying === true,
      wait: (delayMs) => pause(delayMs, signal),
      onKept: (name) => showKeptImage(queryClient, id, name),
      onFull: () => toast.warning(m.problem_images_full()),
      signal,
    })
    return () => {
      stop.abort()
      maker.current = null
    }
  }, [isMade, id, videoId, callApi, queryClient, player])
  useEffect(() => {
    // Steps that are not loaded yet are not missing.
    if (isMade && steps.length > 0) maker.current?.note({ id, totalDuration, posterUrl, steps })
  }, [isMade, id, videoId, totalDuration, posterUrl, steps])
}

/** Ends early with the signal. */
function pause(delayMs: number, signal: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const timer = setTimeout(resolve, delayMs)
  signal.addEventListener('abort', () => resolve(), { once: true })
  return promise.finally(() => clearTimeout(timer))
}
