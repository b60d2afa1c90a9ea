import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Camera, ImageOff, Sparkles, Undo2 } from 'lucide-react'
import { type ReactNode, useId, useRef, useState } from 'react'
import { STEP_IMAGE } from '#contract/image.ts'
import { imageUrl, largeName } from '#contract/image-url.ts'
import type { StepImage } from '#contract/step.ts'
import * as m from '#messages'
import { useApi } from '#web/lib/api.ts'
import { formatTime } from '#web/lib/format/format-time.ts'
import { keepImage, keepStepImages, showKeptImage } from '#web/lib/keep-images.ts'
import { type LoadedModule, moduleKey } from '#web/lib/module-cache.ts'
import { drawVideo, encodeStepImages } from '#web/lib/step-images.ts'
import { Button } from '#web/ui/button.tsx'
import { type Playhead, usePlayheadSecond } from './playhead.ts'

interface ImageFieldProps {
  moduleId: string
  posterUrl: string | null
  /** Name of the image of the step as it is typed; `poster` where its own is still to be made. */
  image: string | null
  imageAt: StepImage
  playhead: Playhead
  onChange: (imageAt: StepImage) => void
}

/** The image of a step: an automatic frame, a frame that the owner has chosen, or none. */
export function ImageField({ imageAt, playhead, onChange, ...frameProps }: ImageFieldProps) {
  const headingId = useId()
  const group = useRef<HTMLFieldSetElement>(null)
  /** Earlier choices, latest last. */
  const [before, setBefore] = useState<readonly StepImage[]>([])
  const second = usePlayheadSecond(playhead)
  const frame = useFrame({ ...frameProps, playhead })
  function choose(next: StepImage) {
    setBefore([...before, imageAt])
    onChange(next)
    group.current?.focus()
  }
  function undo() {
    setBefore(before.slice(0, -1))
    onChange(before.at(-1) ?? null)
    group.current?.focus()
  }
  return (
    <fieldset ref={group} tabIndex={-1} aria-labelledby={headingId} className="grid grid-cols-1 gap-2 outline-none">
      <span id={headingId} className="text-sm font-medium">
        {m.image()}
      </span>
      <div className="flex flex-wrap items-start gap-x-4 gap-y-2.5">
        <Preview {...frameProps} imageAt={imageAt} />
        <div className="min-w-0 flex-1 basis-52">
          <p role="status" className="text-sm text-ink-soft">
            {describe(imageAt)}
          </p>
          <div className="mt-2 flex flex-wrap gap-2">
            <Choice
              icon={<Camera aria-hidden="true" className="size-4" />}
              isOff={second === null}
              isBusy={frame.isPending}
              onPress={() => frame.mutate(undefined, { onSuccess: choose })}
            >
              {m.use_this_frame()} {second !== null && <span className="tabular-nums">({formatTime(second)})</span>}
            </Choice>
            {imageAt !== 'none' && (
              <Choice icon={<ImageOff aria-hidden="true" className="size-4" />} onPress={() => choose('none')}>
                {m.no_image()}
              </Choice>
            )}
            {imageAt !== null && (
              <Choice icon={<Sparkles aria-hidden="true" className="size-4" />} onPress={() => choose(null)}>
                {m.choose_automatically()}
              </Choice>
            )}
            {before.length > 0 && (
              <Choice icon={<Undo2 aria-hidden="true" className="size-4" />} onPress={undo}>
                {m.undo_action()}
              </Choice>
            )}
          </div>
          <p role="alert" className="mt-2 text-sm text-danger-ink empty:hidden">
            {frame.error?.message}
          </p>
        </div>
      </div>
    </fieldset>
  )
}

function describe(imageAt: StepImage): string {
  if (imageAt === 'none') return m.learners_see_no_image_of()
  return imageAt === null
    ? m.the_sharpest_frame_near_the()
    : m.the_frame_at_imageat_which({ imageAt: formatTime(imageAt) })
}

interface ChoiceProps {
  icon: ReactNode
  isOff?: boolean
  isBusy?: boolean
  onPress: () => void
  children: ReactNode
}

function Choice({ icon, isOff = false, isBusy = false, onPress, children }: ChoiceProps) {
  return (
    <Button variant="secondary" size="small" disabled={isOff} isBusy={isBusy} onClick={onPress}>
      {!isBusy && icon}
      <span>{children}</span>
    </Button>
  )
}

type PreviewProps = Pick<ImageFieldProps, 'posterUrl' | 'image' | 'imageAt'>

/** The image as it will be, where it is there already: a chosen frame is kept before its step is saved. */
function Preview({ posterUrl, image, imageAt }: PreviewProps) {
  const isThere = image !== null && image !== 'poster' && posterUrl !== null
  return (
    <div className="grid aspect-video w-40 shrink-0 place-items-center overflow-hidden rounded-control border border-line bg-sunken p-2 text-center text-xs text-ink-soft">
      {isThere ? (
        <img
          src={imageUrl(posterUrl, image)}
          srcSet={`${imageUrl(posterUrl, image)} 320w, ${imageUrl(posterUrl, largeName(image))} 960w`}
          sizes="10rem"
          width="320"
          height="180"
          alt=""
          className="-m-2 size-[calc(100%+1rem)] max-w-none object-contain"
        />
      ) : imageAt === 'none' ? (
        m.no_image()
      ) : (
        m.it_is_made_when_you()
      )}
    </div>
  )
}

/** Stores the current frame of the video as an image of the module. */
function useFrame({ moduleId, posterUrl, playhead }: Pick<ImageFieldProps, 'moduleId' | 'posterUrl' | 'playhead'>) {
  const callApi = useApi()
  const queryClient = useQueryClient()
  // The video that plays beside the editor; it may be replaced while that is open.
  const [videoId] = useState(() => queryClient.getQueryData<LoadedModule>(moduleKey(moduleId))?.videoId ?? null)
  return useMutation({
    /** @returns the second that it shows */
    async mutationFn(): Promise<number> {
      const video = playhead.readVideo()
      const frame = drawVideo(video, STEP_IMAGE.widePx)
      const atS = Math.round((video?.currentTime ?? 0) * 1000) / 1000
      const images = frame && (await encodeStepImages(frame))
      if (images === null) throw new Error(m.the_video_does_not_show())
      try {
        const options = { moduleId, videoId, callApi }
        // The addresses of all images come from that of the poster.
        if (posterUrl === null) await keepImage(options, 'poster', images.large ?? images.small)
        await keepStepImages(options, `at-${Math.round(atS * 1000)}`, images)
      } catch (error) {
        throw new Error(m.the_frame_could_not_be(), { cause: error })
      }
      if (posterUrl === null) showKeptImage(queryClient, moduleId, 'poster')
      return atS
    },
  })
}
