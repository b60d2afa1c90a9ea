import { THUMBNAIL_WIDTH_PX } from '#web/lib/encode-picture.ts'
import { runFileTask } from '../file-worker/run-file-task.ts'
import type { DrawnPicture } from './draw-pictures.ts'

interface PictureOptions {
  maxWidthPx?: number
  signal?: AbortSignal
}

/**
 * Pictures of a picked video at the given times, in order of time, as WebP or JPEG of at most 100 KB. Never fails: what
 * this browser cannot decode or draw is left out.
 */
export async function* makePictures(
  file: File,
  timesMs: number[],
  { maxWidthPx = THUMBNAIL_WIDTH_PX, signal }: PictureOptions = {},
): AsyncGenerator<DrawnPicture, void> {
  try {
    yield* runFileTask({ kind: 'pictures', file, timesMs, maxWidthPx }, { signal })
  } catch (error) {
    if (!signal?.aborted) console.info('No pictures could be made of this video here', error)
  }
}
