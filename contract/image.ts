import { z } from 'zod'

/** Images are small: a poster of 1280 × 720 in WebP has about 60 kB. */
export const IMAGE_MAX_BYTES = 200 * 1024
/** One for each step that a module can have, a poster, and those of steps that were removed since. */
export const IMAGES_MAX = 600

/**
 * What an image of a module shows: `poster`, or `step-<ms>` for the video at that many milliseconds, where a step
 * begins.
 */
export const ImageName = z.string().regex(/^(poster|step-(0|[1-9]\d{0,8}))$/, 'must be "poster" or "step-<ms>"')
export type ImageName = z.infer<typeof ImageName>
