import { imageUrl } from '#contract/image-url.ts'
import type { Step } from '#contract/step.ts'

interface FramedImageProps {
  step: Pick<Step, 'focus'> & { image: string }
  /** Address of the poster, from which those of all images come. */
  posterUrl: string
}

/** The image of a step in its 16:9 frame, with the part to look at, which the poster does not show. */
export function FramedImage({ step: { image, focus }, posterUrl }: FramedImageProps) {
  return (
    <div className="relative aspect-video w-full overflow-hidden rounded-control bg-sunken">
      <img
        src={imageUrl(posterUrl, image)}
        alt=""
        loading="lazy"
        width="320"
        height="180"
        className="size-full object-contain"
      />
      {focus !== null && image !== 'poster' && (
        <span
          data-testid="part-to-look-at"
          style={{ left: `${focus.x}%`, top: `${focus.y}%`, width: `${focus.width}%`, height: `${focus.height}%` }}
          className="absolute rounded-chip border-2 border-accent shadow-[0_0_0_100vmax_rgb(0_0_0/0.55)]"
        />
      )}
    </div>
  )
}
