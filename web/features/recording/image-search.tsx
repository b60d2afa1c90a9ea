import { useMutation } from '@tanstack/react-query'
import { Images } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { toast } from 'sonner'
import { VideoUrlAnswer } from '#contract/module.ts'
import type { Recording } from '#contract/training/recording.ts'
import type { ImagePlace } from '#media/place-by-image.ts'
import * as m from '#messages'
import { useApi } from '#web/lib/api.ts'
import type { LoadedModule } from '#web/lib/module-cache.ts'
import { Button } from '#web/ui/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { Progress } from '#web/ui/loading.tsx'
import { findByImages, isOwnImage } from './find-by-images.ts'

interface ImageSearchProps {
  module: Pick<LoadedModule, 'steps' | 'posterUrl'>
  recording: Pick<Recording, 'moduleId' | 'durationS'>
  onFound: (places: ReadonlyMap<string, ImagePlace>) => void
}

/**
 * Finds the steps of a silent video by their images, when its owner asks for it: that takes a while. Nothing where no
 * step has one.
 */
export function ImageSearch({ module: { steps, posterUrl }, recording, onFound }: ImageSearchProps) {
  const callApi = useApi()
  const [done, setDone] = useState(0)
  const stop = useRef<AbortController>(null)
  useEffect(() => () => stop.current?.abort(), [])
  const { moduleId, durationS } = recording
  const search = useMutation({
    async mutationFn() {
      stop.current = new AbortController()
      const { signal } = stop.current
      setDone(0)
      const path = `/api/video-url/module/${encodeURIComponent(moduleId)}`
      const { url: videoUrl } = await callApi({ path, schema: VideoUrlAnswer, signal })
      const durationMs = (durationS ?? 0) * 1_000
      const options = { steps, posterUrl: posterUrl ?? '', videoUrl, durationMs }
      return findByImages({ ...options, signal, onProgress: setDone })
    },
    onSuccess: onFound,
    onError: () => stop.current?.signal.aborted || toast.error(m.failed_to_look_at_the_video()),
  })
  if (posterUrl === null || durationS === null || !steps.some(({ image }) => isOwnImage(image))) return null
  return (
    <Card className="grid grid-cols-1 gap-3 px-4 py-4 sm:px-5">
      <p className="text-sm text-ink-soft">{m.silent_recording_explained()}</p>
      {search.isPending ? (
        <Progress value={Math.floor(done * 100)} label={m.looking_at_the_new_video()} />
      ) : (
        <div>
          <Button variant="secondary" onClick={() => search.mutate()}>
            <Images aria-hidden="true" className="size-4" />
            {m.find_steps_by_images()}
          </Button>
        </div>
      )}
    </Card>
  )
}
