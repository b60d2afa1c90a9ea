import { STEP_IMAGE } from '#contract/image.ts'
import { imageUrl } from '#contract/image-url.ts'
import type { Step } from '#contract/step.ts'
import { planSamples, type Sample, toCells } from '#media/find-scenes.ts'
import { type ImagedStep, type ImagePlace, placeByImages } from '#media/place-by-image.ts'
import { openVideo, readPixels } from '#web/lib/step-images.ts'

interface ImageSearchOptions {
  /** Of the training as it is. */
  steps: readonly Pick<Step, 'id' | 'start' | 'end' | 'image'>[]
  posterUrl: string
  /** Of the new recording. */
  videoUrl: string
  durationMs: number
  signal: AbortSignal
  /** @param done share of the moments that were looked at */
  onProgress: (done: number) => void
}

/**
 * Looks through a video for the scenes that the images of steps show. Nothing leaves the browser.
 * @throws where this browser cannot show the video
 */
export async function findByImages({
  steps,
  posterUrl,
  videoUrl,
  durationMs,
  signal,
  onProgress,
}: ImageSearchOptions): Promise<Map<string, ImagePlace>> {
  const imaged: ImagedStep[] = []
  for (const { id, start, end, image } of steps) {
    const cells = isOwnImage(image) ? await readImage(imageUrl(posterUrl, image), signal) : null
    if (cells !== null) imaged.push({ id, lengthMs: (end - start) * 1_000, cells })
  }
  const draw = imaged.length === 0 ? null : await openVideo(videoUrl, signal)
  // not-shown: for developers.
  if (draw === null) throw new Error('No image of a step could be read, or this browser cannot show the video')
  const timesMs = planSamples(durationMs)
  const samples: Sample[] = []
  let next = 0
  for await (const frame of draw(timesMs, STEP_IMAGE.smallPx)) {
    signal.throwIfAborted()
    const timeMs = timesMs[next++] ?? durationMs
    if (frame !== null) samples.push({ timeMs, cells: toCells(readPixels(frame)) })
    onProgress(next / timesMs.length)
  }
  return placeByImages(imaged, samples, durationMs)
}

/** Whether a step is shown with an image of its own, by which its place can be found. */
export function isOwnImage(image: Step['image']): image is string {
  return image !== null && image !== 'poster'
}

/** The cells of a stored image; null where it cannot be read: the other steps are found without it. */
async function readImage(url: string, signal: AbortSignal): Promise<Uint8Array | null> {
  const bitmap = await fetchImage(url, signal).catch(() => null)
  signal.throwIfAborted()
  if (bitmap === null) return null
  const canvas = new OffscreenCanvas(bitmap.width, bitmap.height)
  canvas.getContext('2d', { willReadFrequently: true })?.drawImage(bitmap, 0, 0)
  bitmap.close()
  return toCells(readPixels(canvas))
}

async function fetchImage(url: string, signal: AbortSignal): Promise<ImageBitmap | null> {
  const answer = await fetch(url, { signal })
  return answer.ok ? createImageBitmap(await answer.blob()) : null
}
