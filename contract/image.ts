import { z } from 'zod'
import { VideoId } from './small-copy.ts'

/**
 * Widths in which the image of a step is kept, and what each may weigh. WebP of a screen or a workbench takes half of it.
 * The widest is loaded by people who enlarge it.
 */
export const STEP_IMAGE = {
  smallPx: 320,
  smallMaxBytes: 32 * 1024,
  largePx: 960,
  largeMaxBytes: 80 * 1024,
  widePx: 1600,
  wideMaxBytes: 200 * 1024,
} as const
/** Images are small: a poster of 1280 × 720 in WebP has about 60 kB. */
export const IMAGE_MAX_BYTES = 200 * 1024
/** Two for each step that a module can have, a poster, and those of steps that were removed a moment ago. Wide ones get half. */
export const IMAGES_MAX = 1_200
/** What the images of a module may weigh together: 500 steps with images of a usual size. */
export const IMAGES_MAX_BYTES = 32 * 1024 * 1024

/**
 * What an image of a module shows: `poster`; `step-<ms>` for a step that begins at that many milliseconds; `at-<ms>` for
 * the moment that a person has chosen for a step. `-960` at its end names the larger one of the two that a step has, and
 * `-1600w` the wide one. `<mark>.` before it names the video that it is of, where that is not the module's first.
 */
export const ImageName = z
  .string()
  .regex(
    /^(poster|([\w-]{1,10}\.)?(step|at)-(0|[1-9]\d{0,8})(-960|-1600w)?)$/,
    'must be "poster", "step-<ms>" or "at-<ms>"',
  )
export type ImageName = z.infer<typeof ImageName>

/** Length of the mark of a video: the beginning of its id, which no other video of a module shares. */
export const VIDEO_MARK_CHARS = 10

/** Query of `PUT /api/modules/{id}/images/{name}`. */
export const ImageQuery = z.object({ videoId: VideoId })

/** Whether it is the wide one of a step. */
export function isWide(name: ImageName): boolean {
  return name.endsWith('-1600w')
}

/** Most bytes of the image of that name. */
export function maxBytesOf(name: ImageName): number {
  if (name === 'poster') return IMAGE_MAX_BYTES
  if (isWide(name)) return STEP_IMAGE.wideMaxBytes
  return name.endsWith('-960') ? STEP_IMAGE.largeMaxBytes : STEP_IMAGE.smallMaxBytes
}
