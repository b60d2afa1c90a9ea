import { THUMBNAIL_WIDTH_PX } from '#web/lib/encode-image.ts'
import { runFileTask } from '../file-worker/run-file-task.ts'
import type { DrawnImage } from './draw-images.ts'

interface ImageOptions {
  maxWidthPx?: number
  signal?: AbortSignal
}

/**
 * Images of a picked video at the given times, in order of time, as WebP or JPEG of at most 100 KB. Never fails: what
 * this browser cannot decode or draw is left out.
 */
export async function* makeImages(
  file: File,
  timesMs: number[],
  { maxWidthPx = THUMBNAIL_WIDTH_PX, signal }: ImageOptions = {},
): AsyncGenerator<DrawnImage, void> {
  try {
    yield* runFileTask({ kind: 'images', file, timesMs, maxWidthPx }, { signal })
  } catch (error) {
    if (!signal?.aborted) console.info('No pictures could be made of this video here', error)
  }
}
